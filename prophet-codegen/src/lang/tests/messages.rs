//! Every message, with the text that it points at and its help line.

use super::{As, read};
use crate::model::Language;

/// Checks a table: lines `kind> code` (`⏎` for a line break), below each what is reported.
fn check(language: Language, table: &str) {
    let mut actual = String::from("\n");
    for line in table.lines() {
        let Some((kind, text)) = line.split_once('>') else {
            continue;
        };
        let read_as = match kind {
            "value" => As::Real,
            "fragment" => As::Fragment,
            "body" => As::Body,
            _ => continue,
        };
        let text = text.trim_start();
        let (_, messages) = read(&text.replace('⏎', "\n"), language, read_as);
        actual.push_str(line);
        actual.push('\n');
        for message in messages {
            let message = message.replace("; ", "\n        ");
            actual.push_str("    ");
            actual.push_str(&message);
            actual.push('\n');
        }
    }
    assert!(actual == table, "the table should be:\n{actual}");
}

#[test]
fn c_syntax() {
    check(
        Language::C,
        r##"
value>
    PM0201 ``: an expression is missing here
value> /* nothing */
    PM0201 `/* nothing */`: an expression is missing here
value> 1 +
    PM0201 `+`: the code ends too early
        something is missing behind this: an operand or `;`
value> 1 1
    PM0201 `1`: unexpected `1`
        an operator or `;` is missing before it
value> 1 + * 2
    PM0203 `*`: the cost language has no pointers or references
        use the variable's name
value> (1
    PM0201 `(`: `(` is not closed
value> 1)
    PM0201 `)`: `)` closes nothing that is open
value> (1]
    PM0201 `]`: `]` closes nothing that is open
value> 1; 2
    PM0201 `2`: an expression is expected here, not statements
value> int x
    PM0201 `x`: unexpected `x`
        an operator or `;` is missing before it
value> return 1
    PM0201 `return`: an expression is expected here, without `return`
value> double(GV)
    PM0201 `(`: unexpected `(`
        a conversion is written `(double) x`
value> 1 /* open
    PM0201 `/*`: the comment has no end
value> interpolate("x
    PM0201 `"`: the string has no end
value> 1 + €
    PM0201 `€`: unexpected character "€"
value> 12ab
    PM0201 `12ab`: unexpected `12ab`
fragment> GV = 1
    PM0201 `1`: the code ends too early
        something is missing behind this: an operand or `;`
fragment> GV = 1 P = 2;
    PM0201 `P`: unexpected `P`
        an operator or `;` is missing before it
fragment> if (GV) { P = 1;
    PM0201 `{`: `{` is not closed
fragment> int;
    PM0201 `int;`: the declaration has no name
fragment> x y;
    PM0201 `y`: unexpected `y`
        an operator or `;` is missing before it
fragment> const x = 1;
    PM0201 `x`: unexpected `x`
        an operator or `;` is missing before it
"##,
    );
}

#[test]
fn c_refuses_what_is_foreign() {
    check(
        Language::C,
        r##"
fragment> #include <stdio.h>⏎GV = 1;
    PM0203 `#`: the cost language has no preprocessor lines
fragment> system("rm -rf /");
    PM0203 `"rm -rf /"`: the cost language has no strings
        they only name the table of `interpolate`
fragment> asm("nop");
    PM0203 `asm`: the cost language has no `asm`
fragment> __asm__("nop");
    PM0203 `__asm__`: the cost language has no `__asm__`
fragment> int x __attribute__((unused));
    PM0203 `__attribute__`: the cost language has no `__attribute__`
fragment> goto end; end: GV = 1;
    PM0203 `goto`: the cost language has no `goto`
fragment> end: GV = 1;
    PM0203 `end: GV = 1;`: the cost language has no labels or `goto`
        write a loop
fragment> typedef int t;
    PM0203 `typedef`: the cost language has no `typedef`
fragment> struct s { int x; } y;
    PM0203 `struct`: the cost language has no `struct`
fragment> static int x;
    PM0203 `static`: the cost language has no `static`
fragment> int *p;
    PM0203 `*`: the cost language has no pointers or references
        use the variable's name
fragment> int f(int x);
    PM0203 `f(int x)`: the cost language has no functions within code
        add a cost function to the model
fragment> int (x);
    PM0203 `(x)`: the cost language has no declarations of this kind
        write `int x`
fragment> int a[2][2];
    PM0203 `a[2][2]`: the cost language has no arrays of arrays
        use one index, as `a[i * columns + j]`
fragment> void x;
    PM0203 `void`: the cost language has no `void`
        a cost function has a value
fragment> char c;
    PM0203 `char`: the cost language has no `char`
        write `int`
fragment> auto x = 1;
    PM0203 `auto`: the cost language has no `auto`
        write the type
fragment> double _Complex z;
    PM0203 `_Complex`: the cost language has no `_Complex`
fragment> bool int x;
    PM0201 `x`: unexpected `x`
        an operator or `;` is missing before it
fragment> switch (GV) { case 1: P = 1; }
    PM0203 `switch`: the cost language has no `switch`
        write `if … else if …`
fragment> P = GV ? 1 : (2, 3);
    PM0203 `(2, 3)`: the cost language has no comma operator
        write statements of their own
fragment> GV = 1, P = 2;
    PM0203 `GV = 1, P = 2`: the cost language has no comma operator
        write statements of their own
value> *P
    PM0203 `*`: the cost language has no pointers or references
        use the variable's name
value> 1 + (GV)*(&P)
    PM0203 `&`: the cost language has no pointers or references
        use the variable's name
value> (1)*-P
value> a.b
    PM0203 `.`: the cost language has no structures
value> a->b
    PM0203 `->`: the cost language has no structures
value> std::sqrt(2)
    PM0203 `::`: the cost language has no paths
        write the name alone, as `sqrt(x)`
value> static_cast<double>(GV)
    PM0203 `static_cast`: the cost language has no `static_cast`
        a conversion is written `(double) x`
value> sizeof(int)
    PM0203 `sizeof`: the cost language has no `sizeof`
        write the number of bytes
value> ({ 1; })
    PM0203 `{`: the cost language has no statements within expressions
value> 'a'
    PM0203 `'`: the cost language has no characters
        write the number
value> "text"
    PM0203 `"text"`: the cost language has no strings
        they only name the table of `interpolate`
value> (int[]){1}
    PM0203 `(int[]){1}`: the cost language has no compound literals
value> (int*)P
    PM0203 `*`: the cost language has no pointers or references
        use the variable's name
value> 1i
    PM0201 `1i`: unexpected `1i`
value> 1.0f16
    PM0203 `1.0f16`: the cost language has no numbers of this kind
value> L"wide"
    PM0203 `"wide"`: the cost language has no strings of this kind
value> $x
    PM0203 `$`: the cost language has no `$`
value> \
    PM0203 `\`: the cost language has no `\`
"##,
    );
}

#[test]
fn c_names_and_types() {
    check(
        Language::C,
        r##"
value> PP
    PM0204 `PP`: there is no variable `PP`
value> gv + num_nodes
    PM0204 `gv`: there is no variable `gv`
        did you mean `GV`?
    PM0204 `num_nodes`: there is no variable `num_nodes`
        did you mean `NUM_NODES`?
value> FA2()
    PM0205 `FA2`: there is no function `FA2`
        did you mean `FA1`?
value> printf(P)
    PM0205 `printf`: there is no function `printf`
value> ln(P)
    PM0205 `ln`: there is no function `ln`
        did you mean `log`?
value> FA1
    PM0207 `FA1`: `FA1` is a function
        call it
value> sin
    PM0207 `sin`: `sin` is a function
        call it
value> P(1)
    PM0205 `P`: `P` is a variable and cannot be called
value> (FA1)(1)
    PM0206 `(FA1)`: `FA1` takes 0 arguments, not 1
value> FA1(1)
    PM0206 `FA1`: `FA1` takes 0 arguments, not 1
value> FSA2()
    PM0206 `FSA2`: `FSA2` takes 1 argument, not 0
value> pow(1)
    PM0206 `pow`: `pow` takes 2 arguments, not 1
value> min(1, 2, 3)
    PM0206 `min`: `min` takes 2 arguments, not 3
value> uniform(1)
    PM0206 `uniform`: `uniform` takes 2 arguments, not 1
value> interpolate(P)
    PM0207 `interpolate`: the first argument of `interpolate` is a file name in quotes
        write `interpolate("table.csv", x)`
value> interpolate("table.csv")
    PM0206 `interpolate("table.csv")`: `interpolate` takes 2 arguments, not 1
value> interpolate("no.csv", 1)
    PM0214 `"no.csv"`: there is no table `no.csv`
        put the file beside the model
value> interpolate("a\\b.csv", 1)
    PM0214 `"a\\b.csv"`: the name of a table is one string without escapes
value> interpolate("a" "b", 1)
    PM0214 `"a" "b"`: the name of a table is one string without escapes
value> A
    PM0207 `A`: `A` is an array
        take a value of it, as `A[0]`
value> P[0]
    PM0207 `P`: `P` is no array
value> A[P]
    PM0207 `P`: expected `int`, found `double`
        convert it with a cast, as `(int) x`
value> A[8]
    PM0212 `8`: `A` has no value at 8
        its 8 values are at 0 to 7
value> A[-1]
    PM0212 `-1`: `A` has no value at -1
        its 8 values are at 0 to 7
value> (A)[1]
value> A[1][2]
    PM0207 `A[1]`: only variables can be indexed, and once
value> P % 2
    PM0207 `P`: `%` takes integers, found `double`
        write `fmod(x, y)`
value> P << 1
    PM0207 `P`: this operator takes integers, found `double`
        convert it with a cast, as `(int) x`
value> 1 & P
    PM0207 `P`: this operator takes integers, found `double`
        convert it with a cast, as `(int) x`
value> ~P
    PM0207 `P`: this operator takes integers, found `double`
        convert it with a cast, as `(int) x`
value> 1/0
    PM0212 `0`: division of an integer by zero
        in C, write `0.0` if a division of reals is meant
value> GV % (2 - 2)
    PM0212 `(2 - 2)`: division of an integer by zero
value> 9223372036854775808
    PM0215 `9223372036854775808`: the number does not fit in a signed integer of 64 bits
value> 1e999
    PM0215 `1e999`: the number does not fit in a double
value> GV = 2
    PM0209 `GV = 2`: a variable is changed within an expression
        make it a statement of its own, before this one
value> GV++ + 1
    PM0209 `GV++`: a variable is changed within an expression
        make it a statement of its own, before this one
value> 1 + (P += 2)
    PM0209 `(P += 2)`: a variable is changed within an expression
        make it a statement of its own, before this one
value> x + y
    PM0204 `x`: there is no variable `x`
    PM0204 `y`: there is no variable `y`
"##,
    );
}

#[test]
fn c_statements() {
    check(
        Language::C,
        r##"
fragment> NAT = 1;
    PM0208 `NAT`: `NAT` is a model parameter and cannot be assigned to
fragment> pid++;
    PM0208 `pid`: `pid` is a name of the system and cannot be assigned to
fragment> const int c = 1; c = 2;
    PM0208 `c`: `c` is read only and cannot be assigned to
fragment> 1 = 2;
    PM0208 `1`: this cannot be assigned to
        assign to a variable, or to a value of an array
fragment> A = 1;
    PM0207 `A`: `A` is an array
        assign to a value of it, as `A[0]`
fragment> A[FSA2(1) > 1] += 1;
    PM0209 `A[FSA2(1) > 1]`: this index would be evaluated twice
        put it into a variable first
fragment> F = 1;
    PM0207 `F`: `F` is a function
        call it
fragment> P;
    PM0217 `P`: the value is not used
fragment> 1 / GV;
fragment> FA1();
fragment> break;
    PM0211 `break;`: `break` stands in no loop
fragment> continue;
    PM0211 `continue;`: `continue` stands in no loop
fragment> return 1;
    PM0211 `return 1;`: `return` stands in no function
        only cost functions have a result
fragment> int x; double x;
    PM0213 `x`: `x` is already declared in this block
fragment> int x = {1};
    PM0207 `x`: `x` is no array and takes one value
fragment> int a[2] = 1;
    PM0207 `a[2]`: the array `a` takes its values in braces
fragment> int a[2] = {1, 2, 3};
    PM0216 `a[2]`: `a` has 2 values and 3 are given
fragment> int a[2] = {{1}, 2};
    PM0203 `{1}`: the cost language has no arrays of arrays
fragment> int a[2] = {[1] = 1};
    PM0203 `[1] = 1`: the cost language has no designated values
fragment> int a[] = {};
    PM0201 `}`: unexpected `}`
fragment> int a[GV];
    PM0216 `GV`: an array's length is a constant from 1 to 4096
        a global variable of the model can be larger
fragment> int a[0];
    PM0216 `0`: an array's length is a constant from 1 to 4096
        a global variable of the model can be larger
fragment> int a[100000];
    PM0216 `100000`: an array's length is a constant from 1 to 4096
        a global variable of the model can be larger
fragment> int a[4000]; int b[4000];
    PM0216 `b[4000]`: the arrays of this code have more than 4096 values
        use a global variable of the model
fragment> I[0] <<= 1.5;
    PM0207 `1.5`: this operator takes integers, found `double`
        convert it with a cast, as `(int) x`
body> int n; return 1;
    PM0213 `n`: `n` is already declared in this block
body> GV = 1;
    PM0210 `;`: `work` can end without a result
        add `return …;` at the end
body> if (n) return 1;
    PM0210 `;`: `work` can end without a result
        add `return …;` at the end
body> while (n) { return 1; }
    PM0210 `}`: `work` can end without a result
        add `return …;` at the end
body> while (1) { if (n) break; }
    PM0210 `}`: `work` can end without a result
        add `return …;` at the end
body> return;
    PM0210 `return;`: `return` has no value
body> return 1
    PM0201 `1`: the code ends too early
        something is missing behind this: an operand or `;`
body>
    PM0201 ``: an expression is missing here
"##,
    );
}

#[test]
fn rust_syntax_and_foreign_forms() {
    check(
        Language::Rust,
        r##"
value>
    PM0201 ``: an expression is missing here
value> 1.0 +
    PM0201 `+`: the code ends too early: unexpected end of input, expected an expression
value> 1.0 1.0
    PM0201 `1.0`: unexpected `1.0`: unexpected token
value> (1.0
    PM0201 `(`: `(` is not closed
value> 1.0 < 2.0 < 3.0
    PM0201 `<`: unexpected `<`: comparison operators cannot be chained
value> std::process::exit(1)
    PM0203 `::`: the cost language has no paths
        write the name alone, as `sqrt(x)`
value> println!("x")
    PM0203 `!`: the cost language has no macros
value> unsafe { 1.0 }
    PM0203 `unsafe`: the cost language has no `unsafe`
value> |x| x
    PM0203 `|`: the cost language has no closures
value> #[cfg(x)] 1.0
    PM0203 `#`: the cost language has no attributes
value> &P
    PM0203 `&`: the cost language has no references
        use the value
value> *P
    PM0203 `*`: the cost language has no references
        use the value
value> 'a'
    PM0203 `'`: the cost language has no lifetimes, labels or characters
value> r"x"
    PM0203 `"x"`: the cost language has no strings of this kind
value> "x"
    PM0203 `"x"`: the cost language has no strings
        they only name the table of `interpolate`
value> (1.0, 2.0)
    PM0203 `(1.0, 2.0)`: the cost language has no tuples
value> P.x
    PM0203 `P.x`: the cost language has no structures
value> S { x: 1.0 }
    PM0203 `1.0`: the cost language has no types of this kind
        the types are `i64`, `f64`, `bool` and arrays of them
value> P?
    PM0203 `?`: the cost language has no `?`
value> [1.0, 2.0]
    PM0203 `[1.0, 2.0]`: the cost language has no arrays within expressions
        declare it with `let`
value> 0..3
    PM0203 `0..3`: the cost language has no ranges outside of `for`
value> P as Vec<f64>
    PM0203 `<`: the cost language has no generic types
        to compare or shift a converted value, write `(x as i64) < y`
value> GV as (f64)
    PM0203 `(`: the cost language has no types of this kind
        the types are `i64`, `f64`, `bool` and arrays of them
value> GV as f32
    PM0203 `f32`: the cost language has no type `f32`
        the types are `i64`, `f64`, `bool` and arrays of them
value> 1i32
    PM0203 `1i32`: the cost language has no type `i32`
        the types are `i64`, `f64` and `bool`
value> 1.0f32
    PM0203 `1.0f32`: the cost language has no type `f32`
        the types are `i64`, `f64` and `bool`
value> match GV { _ => 1.0 }
    PM0203 `match`: the cost language has no `match`
        write `if … else if …`
value> if let x = 1 { 1.0 } else { 2.0 }
    PM0203 `let x = 1`: the cost language has no `let` in a condition
value> if ok { let x = 1.0; x } else { 2.0 }
    PM0203 `if ok { let x = 1.0
        x } else { 2.0 }`: a block within an expression holds one value and no statements
        declare a variable before, and assign to it
value> if ok { 1.0 }
    PM0207 `if ok { 1.0 }`: an `if` without `else` has no value
value> loop { }
    PM0203 `loop { }`: the cost language has no loops within expressions
        write it before
value> return 1.0
    PM0203 `return 1.0`: the cost language has no jumps within expressions
        write a statement
value> P.sqrt::<f64>()
    PM0203 `::`: the cost language has no paths
        write the name alone, as `sqrt(x)`
value> a = 1.0
    PM0209 `a = 1.0`: a variable is changed within an expression
        make it a statement of its own, before this one
fragment> fn f() {}
    PM0203 `fn`: the cost language has no functions within code
        add a cost function to the model
fragment> use std::fs;
    PM0203 `use`: the cost language has no `use`
fragment> let (a, b) = (1, 2);
    PM0203 `(a, b)`: the cost language has no patterns
        write a name
fragment> let x;
    PM0201 `let x;`: the variable has no value
        write `let x = 0.0;`
fragment> let x = 1 else { return };
    PM0203 `{ return }`: the cost language has no `let … else`
fragment> for i in A { }
    PM0203 `A`: the cost language has no loops over anything but ranges
        write `for i in 0..n`
fragment> for mut i in 0..3 { }
    PM0203 `mut i`: the cost language has no `mut` on the variable of a loop
fragment> loop { break 1; }
    PM0203 `1`: the cost language has no `break` with a value
        assign it to a variable before
fragment> GV++;
    PM0203 `++`: the cost language has no `++`
        write `x += 1`
fragment> GV = 1 P = 2.0
    PM0201 `P`: unexpected `P`: unexpected token, expected `;`
"##,
    );
}

#[test]
fn rust_names_and_types() {
    check(
        Language::Rust,
        r##"
value> 1
    PM0207 `1`: expected `f64`, found `i64`
        write `1.0`
value> GV
    PM0207 `GV`: expected `f64`, found `i64`
        convert it, as `x as f64`
value> GV + 1.0
    PM0207 `GV + 1.0`: this operator does not take `i64` and `f64`
        convert one of them, as `x as f64`
value> P + PP
    PM0204 `PP`: there is no variable `PP`
value> sqrt(4)
    PM0207 `4`: expected `f64`, found `i64`
        write `4.0`
value> FSA2(P)
    PM0207 `P`: expected `i64`, found `f64`
        convert it, as `x as i64`
value> P.sqrtt()
    PM0205 `sqrtt`: `f64` has no method `sqrtt` in the cost language
value> GV.sqrt()
    PM0205 `sqrt`: `i64` has no method `sqrt` in the cost language
value> P.max(GV)
    PM0207 `GV`: expected `f64`, found `i64`
        convert it, as `x as f64`
value> P.powi(2.0)
    PM0207 `2.0`: expected `i64`, found `f64`
        convert it, as `x as i64`
value> P.powf()
    PM0206 `powf`: `powf` takes 1 argument, not 0
value> -ok
    PM0207 `ok`: `-` cannot be applied to `bool`
value> !P
    PM0207 `P`: `!` cannot be applied to `f64`
value> ok + ok
    PM0207 `ok + ok`: this operator does not take `bool` and `bool`
value> if GV { 1.0 } else { 2.0 }
    PM0207 `GV`: expected `bool`, found `i64`
        compare it, as `x != 0`
value> if ok { 1.0 } else { 2 }
    PM0207 `2`: expected `f64`, found `i64`
        write `2.0`
value> ok as f64
    PM0207 `ok`: expected `f64`, found `bool`
        convert it, as `x as i64 as f64`
value> (GV as bool) as i64 as f64
    PM0207 `GV`: expected `bool`, found `i64`
        compare it, as `x != 0`
value> A[P]
    PM0207 `P`: expected `i64`, found `f64`
        convert it, as `x as i64`
value> A[9]
    PM0212 `9`: `A` has no value at 9
        its 8 values are at 0 to 7
value> A[ok as i64]
value> (GV / 0) as f64
    PM0212 `0`: division of an integer by zero
value> 9223372036854775808 as f64
    PM0215 `9223372036854775808`: the number does not fit in a signed integer of 64 bits
value> 1e400
    PM0215 `1e400`: the number does not fit in an `f64`
value> interpolate("no.csv", P)
    PM0214 `"no.csv"`: there is no table `no.csv`
        put the file beside the model
value> interpolate(P, P)
    PM0207 `interpolate`: the first argument of `interpolate` is a file name in quotes
        write `interpolate("table.csv", x)`
fragment> NAT = 1;
    PM0208 `NAT`: `NAT` is a model parameter and cannot be assigned to
fragment> let x = 1; x = 2;
    PM0208 `x`: `x` is not declared with `mut` and cannot be assigned to
        declare it with `let mut`
fragment> let mut x = 1; x = 2.0;
    PM0207 `2.0`: expected `i64`, found `f64`
        convert it, as `x as i64`
fragment> let x: f64 = 1;
    PM0207 `1`: expected `f64`, found `i64`
        write `1.0`
fragment> let a = [1.0, 2];
    PM0207 `2`: expected `f64`, found `i64`
        write `2.0`
fragment> let a = [P * 2.0; 4];
    PM0209 `P * 2.0`: this value would be evaluated for each place
        put it into a variable first
fragment> let a = [0; 5000];
    PM0216 `5000`: an array's length is a constant from 1 to 4096
        a global variable of the model can be larger
fragment> let a: [f64; 3] = [1.0, 2.0];
    PM0216 `a`: 3 values are declared, 2 given
fragment> let a: f64 = [1.0, 2.0];
    PM0207 `a`: an array is no single value
fragment> let a = [];
    PM0216 `a`: the array has no values
fragment> P
    PM0217 `P`: the value is not used
fragment> break;
    PM0211 `break`: `break` stands in no loop
fragment> return;
    PM0211 `return`: `return` stands in no function
        only cost functions have a result
body> let x = 1.0;
    PM0210 `;`: `work` can end without a result
        end it with a value, without `;`
body> if n > 0 { 1.0 }
    PM0210 `}`: `work` can end without a result
        end it with a value, without `;`
body> while n > 0 { return 1.0; }
    PM0210 `}`: `work` can end without a result
        end it with a value, without `;`
body> n
    PM0207 `n`: expected `f64`, found `i64`
        convert it, as `x as f64`
body>
    PM0201 ``: the body of the function is missing here
"##,
    );
}
