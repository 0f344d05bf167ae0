//! Titles of conversations without a title.

use crate::support::SiteTest;

#[test]
fn an_undated_conversation_without_a_title_is_called_as_its_file_is() {
    let talk = "**Ada:** What a fine morning this is.\n\n**Wren:** Yes, I think so too.\n\n\
                **Ada:** Do you?\n";
    let dated = format!("---\ndate: 2026-01-02\n---\n\n{talk}");
    let session = "{\"messages\": [{\"speaker\": \"Ada\", \"content\": \"Hello there.\"}]}";
    let site = SiteTest::new()
        .file("content/low-tide v1.2.md", talk)
        .file("content/dated.md", dated.replace("Ada", "Iris"))
        .file("content/notes.conv2md.json", session);
    site.build(0);
    let output = site.output();
    let home = String::from_utf8(output["index.html"].clone()).expect("UTF-8");
    for title in ["low-tide v1.2", "What a fine morning this is.", "notes"] {
        assert!(home.contains(&format!(">{title}</a>")), "{title}: {home}");
    }
}
