"""Tables of pages, their pictures, and the cited passages."""

from django.db import models

from thoughts.text.labels import OWNER, union


class Picture(models.Model):
    """A picture of a page, decoded and encoded again in the sandbox.

    No byte of the original file remains.
    """

    sha256 = models.CharField(max_length=64, unique=True)
    data = models.BinaryField(help_text="WebP.")
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.width} × {self.height}"


class Page(models.Model):
    """The result of one extraction of one URL.

    All fields except `domain` and the numbers are untrusted text.
    """

    url = models.TextField(help_text="The final URL, without parameters that look like secrets.")
    domain = models.CharField(max_length=260)
    title = models.TextField()
    text = models.TextField(help_text="In the form that the protocol describes.")
    left_out = models.TextField(default="", help_text="Visible text that is no content. Only you see it.")
    is_changing = models.BooleanField(default=False, help_text="The page was still changing when it was read.")
    links = models.JSONField(default=list)
    picture = models.ForeignKey(Picture, null=True, blank=True, on_delete=models.SET_NULL)
    metadata = models.JSONField(default=dict)
    extracted_with = models.CharField(max_length=12)
    truncated = models.BooleanField(default=False)
    words = models.PositiveIntegerField(
        null=True, help_text="Of the whole text, also where it was cut. Unknown where the browser did not say."
    )
    sha256 = models.CharField(max_length=64)
    device_label = models.CharField(max_length=64)
    fetched_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "page"
        verbose_name_plural = "pages that Penny read"
        ordering = ["-fetched_at"]
        indexes = [
            # The admin's list, and the removal of old pages.
            models.Index(fields=["fetched_at"], name="old_pages")
        ]

    def __str__(self) -> str:
        return f"{self.domain} at {self.fetched_at:%Y-%m-%d %H:%M}"

    @property
    def origin(self) -> list[str]:
        return [self.domain]

    @property
    def is_text_file(self) -> bool:
        """Whether the text is that of a file, without the marks of a form."""
        return self.extracted_with == "text"

    @property
    def is_forgotten(self) -> bool:
        """Whether it was kept, and the owner forgot it a moment ago."""
        return hasattr(self, "kept") and self.kept.deleted_at is not None


class WrongReading(models.Model):
    """A page that the owner says was read wrong, as it was read then. All but `complaint` is untrusted text."""

    url = models.TextField()
    domain = models.CharField(max_length=260)
    title = models.TextField()
    text = models.TextField()
    left_out = models.TextField()
    extracted_with = models.CharField(max_length=12)
    complaint = models.TextField()
    fetched_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "page read wrong"
        verbose_name_plural = "pages read wrong"
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.domain} at {self.created_at:%Y-%m-%d %H:%M}"


def complains_of(pages: models.QuerySet[Page]) -> models.Exists:
    """Return the condition on a WrongReading that it holds the text of one of these pages."""
    return models.Exists(pages.order_by().filter(url=models.OuterRef("url"), text=models.OuterRef("text")))


class Supported(models.Model):
    """One sentence with the span of the page that supports it: `page.text[start:end] == quote`."""

    page = models.ForeignKey(Page, on_delete=models.PROTECT, related_name="%(class)ss")
    text = models.CharField(max_length=300)
    quote = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.text

    @property
    def origin(self) -> list[str]:
        """Return the label of the page and the owner's.

        The page was read for their preference or question.
        """
        return union((OWNER,), self.page.origin)
