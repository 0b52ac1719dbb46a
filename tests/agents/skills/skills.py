"""Skill documents for tests."""

from agents.models import SkillVersion
from agents.skills import versions

NOTES = "Count the answer that somebody confirmed."


def document(
    name: str = "coffee-forum", domains: str = "coffee.example/forum/*", notes: str = NOTES, selectors: str = ""
) -> str:
    """Return a SKILL.md. `selectors`: lines of name and selector."""
    looked_for = "".join(f"    {line}\n" for line in selectors.splitlines())
    fields = f'  domains: "{domains}"\n' + (f"  selectors: |\n{looked_for}" if looked_for else "")
    return f"---\nname: {name}\ndescription: Reads threads about lever machines.\nmetadata:\n{fields}---\n{notes}\n"


def add_skill(
    name: str = "coffee-forum", domains: str = "coffee.example/forum/*", *, approve: bool = True, **fields: str
) -> SkillVersion:
    return versions.write_version(document(name, domains, **fields), SkillVersion.Source.OWNER, approve=approve)


def bring(text: str) -> SkillVersion:
    """Store a document as an imported one."""
    return versions.write_version(text, SkillVersion.Source.IMPORTED)
