// The markup of the platforms for discussions, as data.

/**
 * Selectors. Semicolons part alternatives, the best one first. The first element of an item that has words counts,
 * unless it belongs to an item within. All but `when` must be on the page.
 */
export type Platform = [
  /** An item is a post with all that stands around its words. */
  item: string,
  /** Where it is empty, the head of a mail within the body names author and time. */
  author: string,
  /** Besides elements with a machine-readable time. */
  when: string,
  body: string,
  details?: Details,
]

interface Details {
  /** What else must be on the page. */
  mark?: string
  score?: string
  /** The body of a post without words of its own: the link that it submits. */
  link?: string
  /** Parts of the body that are no words of the author. */
  out?: string
  /** Tells the depth as its indentation. */
  level?: string
  /** Elements that make items within them, and themselves, one deeper. Without them, no item is within an item. */
  nest?: string
  /** No item is within an item, though some are deeper. */
  isFlat?: true
  /** A signature ends the body, as an element of `out` does. */
  isMail?: true
  /** Besides the first heading. */
  title?: string
  /** The least share of the letters of the page. */
  share?: number
}

export const PLATFORMS: Platform[] = [
  [
    // Reddit
    '[is=shreddit-post],[is=shreddit-comment]',
    'a[href*="/user/"]',
    '[is=faceplate-timeago]',
    '[id$="-rtjson-content"];.md',
    {
      mark: '[is^=shreddit-comment]',
      score: '[is^=shreddit][score]',
      link: 'h1',
      nest: '[is=shreddit-comment] [is=shreddit-comment]',
    },
  ],
  [
    // Reddit, old
    '#siteTable .link,.thing.comment',
    '.author;em',
    '',
    '.usertext-body .md',
    {
      mark: '.commentarea',
      score: '.score.unvoted;.score',
      link: 'a.title',
      nest: '.comment .comment',
      title: 'a.title',
    },
  ],
  [
    // Hacker News
    '.fatitem,.comtr',
    '.hnuser',
    '.age',
    '.commtext,.toptext',
    { score: '.score', link: '.titleline', out: '.reply', level: '.ind', title: '.titleline a' },
  ],
  [
    // Stack Exchange
    '#question,.answer,li.comment',
    '.post-signature:last-child .user-details;.comment-user',
    '.post-signature:last-child .relativetime;.relativetime-clean',
    '.js-post-body;.comment-copy',
    { score: '.js-vote-count;.comment-score', nest: 'li.comment' },
  ],
  [
    // Discourse, in its application and without scripts
    '.topic-post,.crawler-post',
    '.names a;.creator [itemprop=name]',
    '.relative-date;.post-date',
    '.contents .cooked;[itemprop=text]',
    {
      score: '.like-count;.post-likes',
      out: '.quote-controls,.clicks,.meta',
      title: '.fancy-title',
    },
  ],
  [
    // XenForo
    '.js-post,li.message',
    '.message-name,[class*=info__name];.messageUserInfo .username',
    '[class*=date-created];.DateTime',
    '.js-messageContent .bbWrapper;.messageText',
    { score: '.js-voteCount', out: '.js-expandLink' },
  ],
  [
    // phpBB
    'div.post',
    '.thread-user-name;.postprofile [class^=username];.author strong',
    '.author time;.timespan;.author',
    '.postbody .content',
    { out: '.codebox > p', title: '.topic-title' },
  ],
  [
    // vBulletin 3 to 5
    '[id^=edit],[id^=post_],.b-post',
    '.bigusername;.username;.author',
    '.postdate;.b-post__timestamp;.thead .tcell;.thead',
    '.js-post__content-text;[id^=post_message_]',
  ],
  [
    // Invision
    '.cPost,.ipsEntry--post',
    '.cAuthorPane_author;.ipsEntry__username',
    '',
    '.ipsType_richText;.ipsRichText',
  ],
  [
    // Flarum
    'article',
    '.PostUser .username;.PostUser-name',
    '',
    '.Post-body',
    { title: '.DiscussionHero-title' },
  ],
  [
    // GitHub
    '.timeline-comment,.review-comment,[class*=IssueBody],.react-issue-comment',
    '[class*=AuthorLink],[class*=authorLogin],.author',
    '',
    '.comment-body;.markdown-body',
    {
      mark: '.js-issue-title,.markdown-title',
      nest: '[class*=timeline-thread]',
      isFlat: true,
    },
  ],
  [
    // GitLab
    '#content-body,.note',
    '.note-header-author-name;.author',
    '',
    '.note-body .md;.description .md;.work-item-description',
    { mark: '.note-body', nest: '.discussion-notes .note:not(:first-child)', title: 'h1.title' },
  ],
  [
    // Lemmy
    '.post-listing,.comment',
    '.person-listing',
    '.moment-time',
    '.comment-content;#postContent',
    {
      score: '.post-score;.unselectable > span:first-child',
      link: '.post-title',
      nest: '.comment .comment',
      title: '.post-title',
    },
  ],
  [
    // Mastodon
    '.status,.detailed-status',
    '.display-name',
    '.detailed-status__datetime',
    '.status__content',
    {
      mark: '.detailed-status',
      score: '.detailed-status__meta__line:last-child;.detailed-status__link',
      out: 'button',
    },
  ],
  [
    // Pipermail
    'body',
    'body > b',
    'body > i',
    'body > pre',
    { mark: 'h1 + b + a + br + i', isMail: true },
  ],
  [
    // HyperKitty
    '.email',
    '.email-author .name',
    '.email-date',
    '.email-body',
    { title: '.thread-header h3' },
  ],
  [
    // public-inbox: one message, or all of a thread
    'pre',
    '',
    '',
    'pre',
    { mark: 'a#t,b#t', out: 'a[id^=e]', nest: 'li', isMail: true, title: 'a#t,pre b' },
  ],
  [
    // schema.org
    '[itemtype$=ForumPosting],[itemtype$=Question],[itemtype$=Answer],[itemtype$=Comment]',
    '[itemprop=author] [itemprop=name];[itemprop=author]',
    '[itemprop=dateCreated],[itemprop=datePublished]',
    '[itemprop=text],[itemprop=articleBody]',
    {
      mark: '[itemtype$=ForumPosting],[itemtype$=QAPage]',
      score: '[itemprop=upvoteCount]',
      nest: ':is([itemtype$=Answer],[itemtype$=Comment]) [itemtype$=Comment]',
      share: 0.5,
    },
  ],
]

export function alternatives(selectors: string | undefined): string[] {
  return selectors?.split(';').filter(Boolean) ?? []
}
