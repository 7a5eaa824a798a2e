//! Draws models for tests. A model is a class with activities, variables and functions.

use std::fmt::Write;

/// A model under construction. Call [`Drawing::xmi`] to get the text of its file.
#[derive(Debug, Clone)]
pub struct Drawing {
    name: String,
    variables: String,
    activities: Vec<Activity>,
    functions: String,
    stereotypes: String,
    count: usize,
}

/// An activity. The first activity of a drawing is the main one.
#[derive(Debug, Clone)]
struct Activity {
    name: String,
    content: String,
}

impl Drawing {
    /// Creates a model with an empty main activity named `Main`.
    pub fn new(name: &str) -> Self {
        let mut drawing = Self {
            name: name.to_owned(),
            variables: String::new(),
            activities: Vec::new(),
            functions: String::new(),
            stereotypes: String::new(),
            count: 0,
        };
        drawing.activity("Main");
        drawing
    }

    /// Adds an activity. Its id is its name preceded by an underscore. Everything added from now on
    /// is drawn in this activity.
    pub fn activity(&mut self, name: &str) {
        self.activities.push(Activity {
            name: name.to_owned(),
            content: String::new(),
        });
    }

    pub fn variable(&mut self, name: &str, kind: &str, value: &str) {
        let id = self.id();
        put(
            &mut self.variables,
            format_args!(
                r#"<ownedAttribute xmi:id="{id}" name="{}" type="_{kind}">
                <defaultValue xmi:type="uml:OpaqueExpression" xmi:id="{id}v">
                <body>{}</body></defaultValue></ownedAttribute>"#,
                escape(name),
                escape(value)
            ),
        );
    }

    /// Adds a cost function. It returns a `double`, unless `name` starts with a type.
    pub fn function(
        &mut self,
        name: &str,
        parameters: &[(&str, &str)],
        language: &str,
        body: &str,
    ) {
        let (kind, name) = name.split_once(' ').unwrap_or(("double", name));
        let id = self.id();
        let mut text = format!(
            r#"<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="{id}" name="{}">"#,
            escape(name)
        );
        for (number, (kind, name)) in parameters.iter().enumerate() {
            let name = escape(name);
            put(
                &mut text,
                format_args!(
                    r#"<ownedParameter xmi:id="{id}p{number}" name="{name}" type="_{kind}"/>"#
                ),
            );
        }
        put(
            &mut text,
            format_args!(
                r#"<ownedParameter xmi:id="{id}r" name="result" type="_{kind}" direction="return"/>
                <language>{language}</language><body>{}</body></ownedBehavior>"#,
                escape(body)
            ),
        );
        self.functions.push_str(&text);
        self.functions.push('\n');
    }

    /// Adds a node of a kind such as `DecisionNode`. Its name is also its id.
    pub fn node(&mut self, kind: &str, name: &str) {
        self.draw(format_args!(
            r#"<node xmi:type="uml:{kind}" xmi:id="{name}" name="{name}"/>"#
        ));
    }

    /// Adds an action with code, a stereotype and its tags. For example, `stereotype` is `action`
    /// and `tags` is `time="1"`.
    pub fn action(&mut self, name: &str, code: &str, stereotype: &str, tags: &str) {
        let id = self.id();
        self.draw(format_args!(
            r#"<node xmi:type="uml:OpaqueAction" xmi:id="{name}" name="{name}">
               <language>C</language><body>{}</body></node>"#,
            escape(code)
        ));
        put(
            &mut self.stereotypes,
            format_args!(r#"<prophet:{stereotype} xmi:id="{id}" base_Action="{name}" {tags}/>"#),
        );
    }

    /// Starts a structured node, with a stereotype and its tags as in [`Drawing::action`].
    /// Everything added before [`Drawing::end_node`] is drawn inside it.
    pub fn begin_node(&mut self, name: &str, stereotype: &str, tags: &str) {
        let id = self.id();
        self.draw(format_args!(
            r#"<node xmi:type="uml:StructuredActivityNode" xmi:id="{name}" name="{name}">"#
        ));
        let base = "base_StructuredActivityNode";
        put(
            &mut self.stereotypes,
            format_args!(r#"<prophet:{stereotype} xmi:id="{id}" {base}="{name}" {tags}/>"#),
        );
    }

    pub fn end_node(&mut self) {
        self.draw(format_args!("</node>"));
    }

    /// Adds an element with the stereotype `activity+` that executes an activity.
    pub fn call(&mut self, name: &str, activity: &str) {
        let id = self.id();
        self.draw(format_args!(
            r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="{name}" name="{name}"
               behavior="_{activity}"/>"#
        ));
        put(
            &mut self.stereotypes,
            format_args!(r#"<prophet:activity xmi:id="{id}" base_CallBehaviorAction="{name}"/>"#),
        );
    }

    /// Adds an edge, without a guard if `guard` is empty.
    pub fn edge(&mut self, source: &str, target: &str, guard: &str) {
        let id = self.id();
        let guard = if guard.is_empty() {
            String::new()
        } else {
            format!(
                r#"<guard xmi:type="uml:OpaqueExpression" xmi:id="{id}g"><body>{}</body></guard>"#,
                escape(guard)
            )
        };
        self.draw(format_args!(
            r#"<edge xmi:type="uml:ControlFlow" xmi:id="{id}" source="{source}" target="{target}">
               {guard}</edge>"#
        ));
    }

    fn draw(&mut self, text: std::fmt::Arguments<'_>) {
        if let Some(activity) = self.activities.last_mut() {
            put(&mut activity.content, text);
        }
    }

    fn id(&mut self) -> String {
        self.count += 1;
        format!("_i{}", self.count)
    }

    pub fn xmi(&self) -> String {
        let mut text = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmi:version="20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
  xmlns:prophet="http:///schemas/prophet/1" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML">
<uml:Model xmi:id="_Model" name="{}">
<packagedElement xmi:type="uml:Class" xmi:id="_Program" name="Program" classifierBehavior="_Main">
"#,
            escape(&self.name)
        );
        text.push_str(&self.variables);
        for Activity { name, content } in &self.activities {
            put(
                &mut text,
                format_args!(
                    r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="_{name}" name="{name}">"#
                ),
            );
            text.push_str(content);
            text.push_str("</ownedBehavior>\n");
        }
        text.push_str(&self.functions);
        text.push_str("</packagedElement>\n");
        for kind in ["long", "double", "bool"] {
            put(
                &mut text,
                format_args!(
                    r#"<packagedElement xmi:type="uml:PrimitiveType" xmi:id="_{kind}"
                    name="{kind}"/>"#
                ),
            );
        }
        text.push_str("</uml:Model>\n");
        text.push_str(&self.stereotypes);
        text.push_str("</xmi:XMI>\n");
        text
    }
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("text can always grow");
}

/// Escapes text for XML attributes and element content.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            control if control < ' ' => {
                write!(escaped, "&#{};", u32::from(control)).expect("text can always grow");
            }
            other => escaped.push(other),
        }
    }
    escaped
}
