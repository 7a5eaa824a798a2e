//! Functions of the number of ranks that expressions of models call.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

/// Function of a model.
struct Function {
    name: &'static str,
    comment: &'static str,
    body: &'static str,
}

/// The functions; each calls only those before it.
const FUNCTIONS: [Function; 8] = [
    Function {
        name: "Columns",
        comment: "Columns of the grid of processes, which is as square as can be.",
        body: "long rows = 1;\n\
               for (long divisor = 2; divisor * divisor <= NUM_PROCESSES; divisor++) {\n  \
               if (NUM_PROCESSES % divisor == 0) {\n    rows = divisor;\n  }\n}\n\
               return NUM_PROCESSES / rows;",
    },
    Function {
        name: "Rows",
        comment: "Rows of the grid of processes, which is as square as can be.",
        body: "return NUM_PROCESSES / Columns();",
    },
    Function {
        name: "Depth",
        comment: "Longest side of the grid of processes of three dimensions, which is as cubic as \
                  can be.",
        body: "long side = 1;\n\
               for (long divisor = 2; divisor * divisor * divisor <= NUM_PROCESSES; divisor++) \
               {\n  if (NUM_PROCESSES % divisor == 0) {\n    side = divisor;\n  }\n}\n\
               long others = NUM_PROCESSES / side;\n\
               long shorter = 1;\n\
               for (long divisor = 2; divisor * divisor <= others; divisor++) {\n  \
               if (others % divisor == 0) {\n    shorter = divisor;\n  }\n}\n\
               return others / shorter;",
    },
    Function {
        name: "Width",
        comment: "Shortest side of the grid of three dimensions.",
        body: "long plane = NUM_PROCESSES / Depth();\n\
               long side = 1;\n\
               for (long divisor = 2; divisor * divisor <= plane; divisor++) {\n  \
               if (plane % divisor == 0) {\n    side = divisor;\n  }\n}\n\
               return side;",
    },
    Function {
        name: "Height",
        comment: "The other side of the grid of three dimensions.",
        body: "return NUM_PROCESSES / Depth() / Width();",
    },
    Function {
        name: "Log2",
        comment: "Logarithm of the number of processes to base 2, rounded down.",
        body: "long result = 0;\n\
               for (long power = 2; power <= NUM_PROCESSES; power = 2 * power) {\n  \
               result = result + 1;\n}\n\
               return result;",
    },
    Function {
        name: "Levels",
        comment: "Number of the powers of two below the number of processes.",
        body: "long result = 0;\n\
               for (long power = 1; power < NUM_PROCESSES; power = 2 * power) {\n  \
               result = result + 1;\n}\n\
               return result;",
    },
    Function {
        name: "LastStride",
        comment: "The largest power of two below the number of processes.",
        body: "long power = 1;\n\
               while (2 * power < NUM_PROCESSES) {\n  power = 2 * power;\n}\n\
               return power;",
    },
];

/// The functions, in XML, that texts call, with those that these call.
pub(super) fn used(texts: &[&String]) -> String {
    let mut written: Vec<String> = Vec::new();
    let mut is_called = [false; FUNCTIONS.len()];
    for (place, function) in FUNCTIONS.iter().enumerate().rev() {
        let call = format!("{}()", function.name);
        let others = FUNCTIONS.iter().zip(is_called);
        let mut callers = others.filter(|it| it.1).map(|it| it.0.body);
        is_called[place] =
            texts.iter().any(|it| it.contains(&call)) || callers.any(|it| it.contains(&call));
        if !is_called[place] {
            continue;
        }
        let mut text = String::new();
        let _ = writeln!(
            text,
            "  <function name=\"{}\" result=\"long\">\n    <comment>{}</comment>\n    \
             <body>{}</body>\n  </function>",
            function.name,
            function.comment,
            escaped(function.body)
        );
        written.push(text);
    }
    written.into_iter().rev().collect()
}
