import pytest

from thoughts.text.addresses import of_the_web


@pytest.mark.parametrize("url", ["https://lab.example/a", "HTTP://lab.example"])
def test_a_link_leads_to_the_web(url: str) -> None:
    assert of_the_web(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "javascript:ran(1)",
        "\n\njaVasCript:ran(1)",
        "javascript\t:ran(1)",
        "data:text/html,a",
        "//lab.example",
        " https://a",
        "https://[x]/",
        "",
    ],
)
def test_a_link_leads_nowhere_else(url: str) -> None:
    assert of_the_web(url) == ""
