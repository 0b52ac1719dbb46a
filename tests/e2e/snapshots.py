"""Snapshots by the built extension, in a tab that is not in front. Its own sources join the frames, in Node."""

import json
import subprocess
from typing import Any

from tests.bench.reading.pages import bundle
from tests.e2e.browser import Page

# Runs in a page of the extension, as the background does for a tool.
SNAPSHOT = """(async (urls, hosts, hides, before) => {
  const api = globalThis.browser ?? globalThis.chrome
  const isThere = async (id, url) => { const tab = await api.tabs.get(id); return tab.status === 'complete' && tab.url \
=== url }
  const look = next => globalThis.pennyActs.snapshot({ next })
  const read = async url => {
    const { id } = await api.tabs.create({ url, active: false })
    while (!await isThere(id, url)) await new Promise(resolve => setTimeout(resolve, 20))
    if (hides && api.tabs.hide) await api.tabs.hide(id)
    const all = await api.webNavigation.getAllFrames({ tabId: id })
    const frames = all.filter(frame => hosts.includes(new URL(frame.url, url).hostname) || frame.url === 'about:srcdoc')
    const snapshots = []
    for (const { frameId } of frames) {
      const target = { tabId: id, frameIds: [frameId] }
      const next = Math.max(1, ...snapshots.map(snapshot => snapshot.next))
      await api.scripting.executeScript({ target, func: before })
      await api.scripting.executeScript({ target, files: ['/page_basics.js', '/acting.js'] })
      const [{ result, error }] = await api.scripting.executeScript({ target, func: look, args: [next] })
      if (!result) return { error: String(error) }
      snapshots.push(result)
    }
    await api.tabs.remove(id)
    return snapshots
  }
  const pages = []
  while (urls.length) pages.push(...await Promise.all(urls.splice(0, 6).map(read)))
  return pages
})(%s, %s, %s, %s)"""
SEEING = "() => undefined"
# Runs before, in the world of the script: every element then appears visible and at the same place.
BLIND = """() => {
  const style = getComputedStyle(document.body)
  const place = new DOMRect(8, 8, 400, 40)
  window.getComputedStyle = () => style
  Element.prototype.checkVisibility = () => true
  for (const kind of [Element, Range]) kind.prototype.getBoundingClientRect = () => place
}"""
JOIN = """
import { joinFrames } from './src/acting/snapshot/frames'
import { layOut, partOf } from './src/acting/snapshot/parts'
globalThis.join = (pages) => pages.map((snapshots) => {
  const page = joinFrames(snapshots)
  return layOut(page.lines).parts.map((_, index) => partOf(page, 1, index + 1).text)
})
"""
RUN = "console.log(JSON.stringify(join(JSON.parse(require('node:fs').readFileSync(0, 'utf8')))))"
BATCH = 36


def take_snapshots(
    page: Page, urls: list[str], hosts: list[str], *, hides: bool = False, before: str = SEEING
) -> list[list[str]]:
    """Return the parts of the snapshot of each page. `hosts`: those whose frames Penny may see."""
    snapshots: list[Any] = []
    for start in range(0, len(urls), BATCH):
        arguments = (json.dumps(argument) for argument in (urls[start : start + BATCH], hosts, hides))
        snapshots += page.evaluate(SNAPSHOT % (*arguments, before))
    return join_frames(snapshots)


def join_frames(snapshots: list[Any]) -> list[list[str]]:
    command = ["node", "-e", bundle(JOIN) + RUN]
    run = subprocess.run(command, input=json.dumps(snapshots), capture_output=True, text=True, check=True)
    return list(json.loads(run.stdout))


def lines_of(parts: list[str]) -> list[str]:
    """Return the lines of all parts, without their heads."""
    return [line for part in parts for line in part.split("\n")[1:]]
