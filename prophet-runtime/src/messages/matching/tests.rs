use super::*;

fn envelope(source: u32, tag: i64) -> Envelope {
    Envelope::of_program(source, tag)
}

fn letter(source: u32, tag: i64, bytes: u64) -> Letter {
    Letter {
        envelope: envelope(source, tag),
        bytes,
        time_s: 0.0,
        envelope_s: 0.0,
        mode: Mode::Eager,
        number: 0,
    }
}

fn owner(generation: u32) -> Owner {
    let unit = 0;
    Owner::Unit { unit, generation }
}

/// Gives a message to the receive that is waiting for it, or stores the message.
fn send(matching: &mut Matching, dest: u32, letter: Letter) -> Option<Post> {
    let post = matching.take_post(dest, &letter.envelope);
    if post.is_none() {
        matching.keep(dest, letter);
    }
    post
}

fn post(source: u32, tag: i64, generation: u32) -> Post {
    let envelope = envelope(source, tag);
    Post {
        envelope,
        bytes_max: 0,
        cost_s: None,
        posted_s: 0.0,
        owner: owner(generation),
        number: 0,
    }
}

#[test]
fn the_oldest_message_with_source_and_tag_comes_first() {
    let mut matching = Matching::new(2);
    for (number, (source, tag)) in [(1, 0), (0, 0), (1, 5), (1, 0)].into_iter().enumerate() {
        assert_eq!(
            send(&mut matching, 0, letter(source, tag, number as u64)),
            None
        );
    }
    let mut take = |source, tag| {
        matching
            .take(0, &envelope(source, tag))
            .map(|got| got.bytes)
    };
    assert_eq!(take(1, 5), Some(2));
    assert_eq!(take(1, 0), Some(0));
    assert_eq!(take(1, 0), Some(3));
    assert_eq!(take(1, 0), None);
    assert_eq!(take(0, 0), Some(1));
}

#[test]
fn many_messages_keep_their_order_through_list_and_map() {
    let mut matching = Matching::new(1);
    let mut expected = [Vec::new(), Vec::new(), Vec::new()];
    let mut taken = [0; 3];
    for number in 0..3000_u64 {
        let source = u32::try_from(number * 7 % 3).expect("below 3");
        send(&mut matching, 0, letter(source, 0, number));
        expected[source as usize].push(number);
        // The receives come in bursts, so that both the list and the map fill and drain repeatedly.
        if number % 100 > 60 {
            let from = u32::try_from(number % 3).expect("below 3");
            let got = matching
                .take(0, &envelope(from, 0))
                .map(|letter| letter.bytes);
            let index = &mut taken[from as usize];
            assert_eq!(got, expected[from as usize].get(*index).copied());
            *index += usize::from(got.is_some());
        }
    }
    for from in 0..3_u32 {
        for number in &expected[from as usize][taken[from as usize]..] {
            let got = matching.take(0, &envelope(from, 0));
            assert_eq!(got.map(|letter| letter.bytes), Some(*number));
        }
    }
    assert!(
        matching.ranks[0].letters.is_empty(),
        "empty lists are given back"
    );
    assert!(matching.letters.len() < 3000, "places are used again");
}

#[test]
fn a_receive_that_is_withdrawn_gets_nothing() {
    let mut matching = Matching::new(1);
    for generation in 1..=3 {
        matching.post(0, post(0, 0, generation));
    }
    assert!(!matching.withdraw(0, owner(3)));
    assert!(!matching.withdraw(0, owner(1)));
    let got = send(&mut matching, 0, letter(0, 0, 0)).map(|post| post.owner);
    assert_eq!(got, Some(owner(2)));
    assert_eq!(send(&mut matching, 0, letter(0, 0, 0)), None);
    matching.post(0, post(0, 9, 4));
    assert_eq!(
        send(&mut matching, 0, letter(0, 9, 0)).map(|post| post.owner),
        Some(owner(4))
    );
}

#[test]
fn collectives_and_the_program_do_not_meet() {
    let mut matching = Matching::new(1);
    send(&mut matching, 0, letter(0, 0, 0));
    let collective = Envelope {
        context: Context::Collective,
        ..envelope(0, 0)
    };
    assert_eq!(matching.take(0, &collective), None);
}
