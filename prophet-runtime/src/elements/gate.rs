//! Implements the elements that control which threads run their content.

/// Defines how an element lets threads into its content: `execute`, documented here, and `compute`.
macro_rules! gate {
    ($(#[$doc:meta])* $name:ident, |$this:ident, $ctx:ident| $gate:expr) => {
        impl $name {
            $(#[$doc])*
            pub fn execute<'a, F>(
                &'a self,
                ctx: &'a crate::engine::process::ProcessCtx<'_>,
                content: F,
            ) -> impl Future<Output = Result<(), crate::language::Stopped>>
            where
                F: Future<Output = Result<(), crate::language::Stopped>>,
            {
                let ($this, $ctx) = (self, ctx);
                let element = crate::language::element::ModelElement::element(self);
                crate::operations::threads::gated(ctx, (element, Self::KIND), $gate, content)
            }

            /// Returns content to pass to [`Self::execute`], for an element that is drawn as an
            /// action: it occupies a CPU for the time given by `price`.
            ///
            /// # Errors
            ///
            /// The future stops the run if the price is negative, not finite, or
            /// [`ByMachine`](crate::ByMachine).
            pub fn compute<'a>(
                &'a self,
                ctx: &'a crate::engine::process::ProcessCtx<'_>,
                price: impl crate::language::price::Price,
            ) -> crate::elements::Computing<'a> {
                let element = crate::language::element::ModelElement::element(self);
                crate::elements::Computing::content(ctx, element, price)
            }
        }
    };
}
pub(super) use gate;
