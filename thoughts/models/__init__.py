"""Tables of what the owner likes, what Penny read, and what she found."""

from thoughts.models.indexes import CandidateMeaning as CandidateMeaning
from thoughts.models.indexes import Meaning as Meaning
from thoughts.models.indexes import PreferenceMeaning as PreferenceMeaning
from thoughts.models.indexes import ThoughtMeaning as ThoughtMeaning
from thoughts.models.indexes import Words as Words
from thoughts.models.pages import Page as Page
from thoughts.models.pages import Picture as Picture
from thoughts.models.pages import Supported as Supported
from thoughts.models.preferences import Candidate as Candidate
from thoughts.models.preferences import Merge as Merge
from thoughts.models.preferences import MutedSite as MutedSite
from thoughts.models.preferences import Preference as Preference
from thoughts.models.reactions import Reaction as Reaction
from thoughts.models.taste import Taste as Taste
from thoughts.models.thoughts import Claim as Claim
from thoughts.models.thoughts import PlaceField as PlaceField
from thoughts.models.thoughts import Thought as Thought
from thoughts.models.thoughts import ThoughtQuerySet as ThoughtQuerySet
from thoughts.models.visits import Visit as Visit
from thoughts.models.watches import Observation as Observation
from thoughts.models.watches import SeenItem as SeenItem
from thoughts.models.watches import Watch as Watch
from thoughts.sources.models import ImportedFile as ImportedFile
from thoughts.sources.models import Source as Source
from thoughts.subscriptions.models import Subscription as Subscription
from thoughts.text.labels import only_owner as only_owner
