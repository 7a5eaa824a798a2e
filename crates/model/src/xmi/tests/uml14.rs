//! UML 1.3 and 1.4.

#[test]
fn reads_the_words_of_xmi_1_0_and_of_enterprise_architect() {
    let files = [
        include_str!("../../../../../tests/models/uml14/argouml-1.0.xmi"),
        include_str!("../../../../../tests/models/uml14/enterprise-architect-1.1.xmi"),
    ];
    for file in files {
        let (model, problems) = super::read(file);
        assert!(problems.is_empty(), "{problems:?}");
        let model = model.expect("there is a graph");
        let text = super::outline(&model);
        let nodes = text.lines().filter(|line| line.starts_with("  "));
        let nodes: Vec<&str> = nodes.map(str::trim).collect();
        let expected = [
            "Initial Start",
            "Decision D",
            "Action A «action+ cost=2»",
            "Action B",
            "ActivityFinal End",
            "Start -> D",
            "D -> A [pid == 0]",
            "D -> B [else]",
            "A -> End",
            "B -> End",
        ];
        assert_eq!(nodes, expected);
    }
}
