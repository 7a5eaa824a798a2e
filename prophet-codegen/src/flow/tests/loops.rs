//! Structures of loops.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "`expect!` writes them itself"
)]

use expect_test::expect;

use super::check;

#[test]
fn while_with_the_guard_in_front() {
    check(
        "
            A > m
            m > d
            d ? X : B
            X > m
            B > f
            f .
        ",
        expect![[r#"
            A
            while d0 {
                X
            }
            B
        "#]],
    );
}

#[test]
fn while_that_a_guard_leaves() {
    check(
        "
            m > d
            d ? f : X
            X > m
            f .
        ",
        expect![[r#"
            while !d0 {
                X
            }
        "#]],
    );
}

#[test]
fn while_around_nothing() {
    check(
        "
            d ? d : B
            B .
        ",
        expect![[r#"
            while d0 {}
            B
        "#]],
    );
}

#[test]
fn do_while() {
    check(
        "
            m > A
            A > d
            d ? m : B
            B .
        ",
        expect![[r#"
            loop {
                A
                if d0 {} else {
                    break
                }
            }
            B
        "#]],
    );
}

#[test]
fn do_while_that_a_guard_leaves() {
    check(
        "
            m > A
            A > d
            d ? B : m
            B .
        ",
        expect![[r#"
            loop {
                A
                if d0 {
                    break
                } else {}
            }
            B
        "#]],
    );
}

#[test]
fn loop_left_in_the_middle() {
    check(
        "
            m > A
            A > d
            d ? C : B
            B > m
            C .
        ",
        expect![[r#"
            loop {
                A
                if d0 {
                    break
                } else {}
                B
            }
            C
        "#]],
    );
}

#[test]
fn loop_that_goes_on_under_a_guard() {
    check(
        "
            m > A
            A > d
            d ? B : C
            B > m
            C .
        ",
        expect![[r#"
            loop {
                A
                if d0 {} else {
                    break
                }
                B
            }
            C
        "#]],
    );
}

#[test]
fn loop_without_end() {
    check(
        "
            A > m
            m > B
            B > m
        ",
        expect![[r#"
            A
            loop {
                B
            }
        "#]],
    );
}

#[test]
fn loop_of_silent_nodes() {
    check(
        "
            A > m
            m > n
            n > m
        ",
        expect![[r#"
            A
            loop {}
        "#]],
    );
}

#[test]
fn loop_with_two_exits_to_one_place() {
    check(
        "
            m > d
            d ? X : f
            X > e
            e ? Found : Y
            Found > f
            Y > m
            f > B
            B .
        ",
        expect![[r#"
            while d0 {
                X
                if e0 {
                    Found
                    break
                } else {}
                Y
            }
            B
        "#]],
    );
}

#[test]
fn loop_with_two_exits_to_two_places() {
    check(
        "
            m > A
            A > d
            d ? X : e
            e ? Y : m
            X > f
            Y > Z
            Z > f
            f .
        ",
        expect![[r#"
            loop {
                A
                if d0 {
                    X
                    return
                } else if e0 {
                    break
                } else {}
            }
            Y
            Z
        "#]],
    );
}

#[test]
fn while_with_an_else() {
    check(
        "
            m > d
            d ? A : Z
            A > e
            e ? n : m
            Z > n
            n > B
            B .
        ",
        expect![[r#"
            '0: {
                while d0 {
                    A
                    if e0 {
                        break '0
                    } else {}
                }
                Z
            }
            B
        "#]],
    );
}

#[test]
fn continue_() {
    check(
        "
            m > A
            A > d
            d ? X : Y
            X > e
            e ? m : Z
            Y > Z
            Z > g
            g ? B : m
            B .
        ",
        expect![[r#"
            loop {
                A
                if d0 {
                    X
                    if e0 {
                        continue
                    } else {}
                } else {
                    Y
                }
                Z
                if g0 {
                    break
                } else {}
            }
            B
        "#]],
    );
}

#[test]
fn nested_loops() {
    check(
        "
            m > d
            d ? n : B
            n > e
            e ? X : Y
            X > n
            Y > m
            B .
        ",
        expect![[r#"
            while d0 {
                while e0 {
                    X
                }
                Y
            }
            B
        "#]],
    );
}

#[test]
fn continue_and_break_of_the_outer_loop() {
    check(
        "
            m > d
            d ? n : B
            n > e
            e ? X : Y
            X > g
            g ? m n : B
            Y > m
            B .
        ",
        expect![[r#"
            '0: while d0 {
                while e0 {
                    X
                    if g0 {
                        continue '0
                    } else if g1 {} else {
                        break '0
                    }
                }
                Y
            }
            B
        "#]],
    );
}

#[test]
fn return_from_a_loop() {
    check(
        "
            m > d
            d ? A : B
            A > e
            e ? f : m
            B > f
            f .
        ",
        expect![[r#"
            while d0 {
                A
                if e0 {
                    return
                } else {}
            }
            B
        "#]],
    );
}

#[test]
fn return_from_the_last_loop() {
    check(
        "
            m > A
            A > e
            e ? f : B
            B > m
            f .
        ",
        expect![[r#"
            loop {
                A
                if e0 {
                    break
                } else {}
                B
            }
        "#]],
    );
}

#[test]
fn stuck_in_a_loop() {
    check(
        "
            m > d
            d ? A B
            A > m
            B .
        ",
        expect![[r#"
            loop {
                if d0 {
                    A
                } else if d1 {
                    break
                }
            }
            B
        "#]],
    );
}

#[test]
fn a_node_that_acts_and_branches() {
    check(
        "
            A ? B : C
            B > A
            C .
        ",
        expect![[r#"
            loop {
                A
                if A0 {} else {
                    break
                }
                B
            }
            C
        "#]],
    );
}

#[test]
fn ways_that_jump_to_one_place() {
    check(
        "
            m > A
            A > d
            d ? e : B
            e ? X : Y
            X > C
            Y > C
            B > g
            g ? C : m
            C .
        ",
        expect![[r#"
            loop {
                A
                if d0 {
                    if e0 {
                        X
                    } else {
                        Y
                    }
                    break
                } else {}
                B
                if g0 {
                    break
                } else {}
            }
            C
        "#]],
    );
}

#[test]
fn two_ways_to_the_end_within_a_loop() {
    check(
        "
            m > A
            A > d
            d ? e : B
            e ? X : Y
            X > f
            Y > f
            B > g
            g ? C : m
            C > f
            f .
        ",
        expect![[r#"
            loop {
                A
                if d0 {
                    break
                } else {}
                B
                if g0 {
                    C
                    return
                } else {}
            }
            if e0 {
                X
            } else {
                Y
            }
        "#]],
    );
}

#[test]
fn a_jump_out_of_a_block_in_a_loop() {
    check(
        "
            m > d
            d ? A : B
            A > e
            e ? X : Y
            X > g
            g ? n : o
            Y > h
            h ? m : o
            o > P
            P > n
            n > Q
            Q > m
            B .
        ",
        expect![[r#"
            '0: while d0 {
                A
                '1: {
                    if e0 {
                        X
                        if g0 {
                            break '1
                        } else {}
                    } else {
                        Y
                        if h0 {
                            continue '0
                        } else {}
                    }
                    P
                }
                Q
            }
            B
        "#]],
    );
}
