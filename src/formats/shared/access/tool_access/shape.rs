//! Splits a tool name into server and tool.

/// A tool name, split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape<'a> {
    /// The server and the tool.
    Served { server: &'a str, tool: &'a str },
    /// The server followed by the tool, without a clear border: `mcp_garden_water`.
    Run(&'a str),
    /// The tool only.
    Plain(&'a str),
}

/// Splits a tool name.
pub(super) fn shape(name: &str) -> Shape<'_> {
    let name = name.trim();
    // Slash commands have names such as `/plugin:command`.
    let name = match name.strip_prefix('/') {
        Some(command) if !command.to_ascii_lowercase().starts_with("mcp") => {
            return Shape::Plain(name);
        }
        command => command.unwrap_or(name),
    };
    let is_mark = |c: char| !c.is_alphanumeric();
    let start = name.get(..3).filter(|start| start.eq_ignore_ascii_case("mcp"));
    if let Some(rest) = start.and_then(|start| name.get(start.len()..))
        && rest.starts_with(is_mark)
    {
        let body = rest.trim_start_matches(is_mark);
        let mark = &rest[..rest.len() - body.len()];
        return match (mark, body) {
            (_, "") => Shape::Plain(name),
            ("_" | "-" | " ", body) => split_at_mark(body, "__").unwrap_or(Shape::Run(body)),
            (mark, body) => {
                split_at_mark(body, mark).unwrap_or(Shape::Served { server: body, tool: "" })
            }
        };
    }
    if start.is_some() && name[3..].starts_with(char::is_uppercase) {
        return Shape::Run(&name[3..]);
    }
    // LibreChat puts the server name last, and Cline puts it first.
    if let Some((tool, server)) = name.rsplit_once("_mcp_") {
        return Shape::Served { server, tool };
    }
    if let Some((tool, server)) = name.split_once("_action_")
        && server.contains("---")
    {
        return Shape::Served { server, tool };
    }
    let marks = ["0mcp0", "__", ":", "/", "."];
    marks.iter().find_map(|mark| split_at_mark(name, mark)).unwrap_or(Shape::Plain(name))
}

/// Splits a name at a mark between server and tool.
fn split_at_mark<'a>(name: &'a str, mark: &str) -> Option<Shape<'a>> {
    let (server, tool) = name.split_once(mark)?;
    let is_name = |text: &str| text.contains(char::is_alphanumeric);
    (is_name(server) && is_name(tool)).then_some(Shape::Served { server, tool })
}

#[cfg(test)]
mod tests {
    use super::{Shape, shape};

    #[test]
    fn a_server_is_found_in_each_shape_of_a_name() {
        for name in [
            "mcp__garden__water", "MCP__garden__water", "mcp--garden--water", "mcp:garden:water",
            "mcp.garden.water", "mcp/garden/water", "mcp_garden__water", "garden__water",
            "garden.water", "garden:water", "garden/water", "garden0mcp0water", "water_mcp_garden",
        ] {
            let served = Shape::Served { server: "garden", tool: "water" };
            assert_eq!(shape(name), served, "{name}");
        }
        assert_eq!(shape("mcp__garden"), Shape::Served { server: "garden", tool: "" });
        assert_eq!(shape("mcp_garden_water"), Shape::Run("garden_water"));
        assert_eq!(shape("mcp-garden-water"), Shape::Run("garden-water"));
        assert_eq!(shape("mcpGardenWater"), Shape::Run("GardenWater"));
        for name in ["", "mcp", "mcp__", "read_file", "Bash", "str_replace", "a.", "."] {
            assert_eq!(shape(name), Shape::Plain(name), "{name}");
        }
    }
}
