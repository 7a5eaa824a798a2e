//! Implements elements that decide which threads run their content, and when.

/// Defines `execute`, which lets threads into an element's content, and `compute`. Documented with
/// the text for `execute`.
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

            /// Returns the content of an element that is drawn as an action, to pass to
            /// [`Self::execute`]. It needs a CPU for as long as `price` says.
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
