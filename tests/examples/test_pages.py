"""The pages about extending Montego: they name every hook, and quote the examples as they are."""

import re
from pathlib import Path

import pytest

from montego.playouts import policy
from montego.search import Analysis, Limits

ROOT = Path(__file__).parents[2]


def page(name: str) -> str:
    return (ROOT / "docs" / f"adding-a-{name}.md").read_text(encoding="utf-8")


def test_the_page_about_policies_names_every_hook_with_its_arguments() -> None:
    text = page("policy")
    hooks = {name: hook for name, hook in vars(policy).items() if type(hook).__name__ == "Generic"}
    own = {name: hook for name, hook in hooks.items() if hook.__module__ == policy.__name__}
    assert len(own) >= 7
    for name, hook in own.items():
        default = getattr(hook.default, "py_func", hook.default)
        arguments = ", ".join(default.__code__.co_varnames[: default.__code__.co_argcount])
        assert f"| `{name}({arguments})` |" in text


def test_the_page_about_policies_names_every_method_of_the_base_class() -> None:
    text = page("policy")
    public = [name for name in vars(policy.Policy) if not name.startswith("_") and name != "spec_name"]
    assert len(public) >= 4
    for name in public:
        assert re.search(rf"\| `{name}[(`]", text), name


def test_the_page_about_players_names_only_what_exists() -> None:
    text = page("player")
    table = text[text.index("## 3. The analysis") : text.index("## 4.")]
    fields = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert fields
    assert fields <= set(Analysis.__dataclass_fields__)
    assert all(f"limits.{name}" in text for name in Limits.__dataclass_fields__)


@pytest.mark.parametrize(("name", "example"), [("player", "perfect_player"), ("policy", "local_policy")])
def test_the_pages_quote_the_examples(name: str, example: str) -> None:
    source = (ROOT / "examples" / f"{example}.py").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page(name), re.DOTALL)
    assert blocks
    for block in blocks:
        assert block in source


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda file: file.stem)
def test_examples_are_short_and_use_the_public_names_only(example: Path) -> None:
    lines = example.read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 130
    assert not [line for line in lines if "_jit" in line]
    assert not [line for line in lines if len(line) > 120]
