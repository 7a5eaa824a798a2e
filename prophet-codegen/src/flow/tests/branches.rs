//! Structures of branches, early ends and irreducible graphs.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "`expect!` writes them itself"
)]

use expect_test::expect;

use super::check;

#[test]
fn sequence() {
    check(
        "
            i > A
            A > B
            B > f
            f .
        ",
        expect![[r#"
            A
            B
        "#]],
    );
}

#[test]
fn if_without_else_in_the_model() {
    check(
        "
            i > A
            A > d
            d ? X
            X > B
            B .
        ",
        expect![[r#"
            A
            if d0 {
                X
                B
            }
        "#]],
    );
}

#[test]
fn if_whose_else_goes_on() {
    check(
        "
            A > d
            d ? X : m
            X > m
            m > B
            B .
        ",
        expect![[r#"
            A
            if d0 {
                X
            } else {}
            B
        "#]],
    );
}

#[test]
fn if_else() {
    check(
        "
            A > d
            d ? X : Y
            X > m
            Y > m
            m > B
            B .
        ",
        expect![[r#"
            A
            if d0 {
                X
            } else {
                Y
            }
            B
        "#]],
    );
}

#[test]
fn else_if() {
    check(
        "
            A > d
            d ? X : e
            e ? Y : Z
            X > m
            Y > m
            Z > m
            m > B
            B .
        ",
        expect![[r#"
            A
            if d0 {
                X
            } else if e0 {
                Y
            } else {
                Z
            }
            B
        "#]],
    );
}

#[test]
fn several_guards_of_one_node_and_two_to_one_target() {
    check(
        "
            d ? X Y X : m
            X > m
            Y > m
            m > B
            B .
        ",
        expect![[r#"
            '0: {
                if d0 {} else if d1 {
                    Y
                    break '0
                } else if d2 {} else {
                    break '0
                }
                X
            }
            B
        "#]],
    );
}

#[test]
fn nested_ifs() {
    check(
        "
            d ? e : Z
            e ? X : Y
            X > m
            Y > m
            m > M
            M > n
            Z > n
            n > B
            B .
        ",
        expect![[r#"
            if d0 {
                if e0 {
                    X
                } else {
                    Y
                }
                M
            } else {
                Z
            }
            B
        "#]],
    );
}

#[test]
fn early_return() {
    check(
        "
            A > d
            d ? f : B
            B > C
            C .
        ",
        expect![[r#"
            A
            if d0 {} else {
                B
                C
            }
        "#]],
    );
}

#[test]
fn early_returns_before_the_main_part() {
    check(
        "
            A > d
            d ? X : B
            X > f
            B > e
            e ? Y : C
            Y > f
            C > w
            w ? D : f
            D > w
            f .
        ",
        expect![[r#"
            A
            if d0 {
                X
                return
            } else {}
            B
            if e0 {
                Y
                return
            } else {}
            C
            while w0 {
                D
            }
        "#]],
    );
}

#[test]
fn jump_over_a_part() {
    check(
        "
            d ? A : X
            A > e
            e ? n : m
            X > m
            m > C
            C > n
            n > D
            D .
        ",
        expect![[r#"
            '0: {
                if d0 {
                    A
                    if e0 {
                        break '0
                    } else {}
                } else {
                    X
                }
                C
            }
            D
        "#]],
    );
}

#[test]
fn irreducible() {
    check(
        "
            A > d
            d ? X : Y
            X > Y
            Y > e
            e ? X : B
            B .
        ",
        expect![[r#"
            '0: dispatch A {
                A: {
                    A
                    if d0 {
                        goto '0 X
                    } else {}
                    goto '0 Y
                }
                Y: {
                    Y
                    if e0 {
                        goto '0 X
                    } else {}
                    B
                    return
                }
                X: {
                    X
                    goto '0 Y
                }
            }
        "#]],
    );
}

#[test]
fn irreducible_around_structured_parts() {
    check(
        "
            A > d
            d ? X : Y
            X > g
            g ? P : Q
            P > n
            Q > n
            n > Y
            Y > e
            e ? X : B
            B > w
            w ? C : f
            C > w
            f .
        ",
        expect![[r#"
            '0: dispatch A {
                A: {
                    A
                    if d0 {
                        goto '0 X
                    } else {}
                    goto '0 Y
                }
                Y: {
                    Y
                    if e0 {
                        goto '0 X
                    } else {}
                    B
                    while w0 {
                        C
                    }
                    return
                }
                X: {
                    X
                    if g0 {
                        P
                    } else {
                        Q
                    }
                    goto '0 Y
                }
            }
        "#]],
    );
}
