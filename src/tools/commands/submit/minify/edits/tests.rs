use super::*;

#[test]
fn insertions_come_before_replacements() {
    let edit = |range: Range<usize>, with: &str| (range, with.to_string());
    let edits = vec![
        edit(2..4, "X"),
        edit(6..6, "c"),
        edit(2..2, "a"),
        edit(3..4, "lost"),
        edit(2..2, "b"),
    ];
    assert_eq!(apply("012345", edits), "01abX45c");
    assert_eq!(apply("012345", Edits::new()), "012345");
}
