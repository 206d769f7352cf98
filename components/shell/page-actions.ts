/** Something that a button or a link of the page does. */
export type PageAction = { label: string; run: () => void }

/** Attribute of what holds the page's own buttons: its heading and its toolbar. */
export const PAGE_ACTIONS = { 'data-page-actions': '' }

/** Those that are in a menu of the page, and so not in the document until it is opened. */
const inMenus = new Set<PageAction[]>()

/** Offers in the palette what a menu of the page holds; returns what ends that. */
export function offerActions(actions: PageAction[]): () => void {
  inMenus.add(actions)
  return () => void inMenus.delete(actions)
}

const SELECTOR = ['a[href]', 'button:not(:disabled)']
  .map((element) => `[data-page-actions] ${element}`)
  .join(',')

/** The actions of the page that is open: what its heading and toolbar offer at the moment. */
export function readPageActions(): PageAction[] {
  const actions = new Map<string, PageAction>()
  for (const element of document.querySelectorAll<HTMLElement>(SELECTOR)) {
    const label = labelOf(element)
    if (label && !actions.has(label)) actions.set(label, { label, run: () => press(element) })
  }
  for (const action of [...inMenus].flat()) actions.set(action.label, action)
  return [...actions.values()]
}

/** Without the numbers and keys that stand beside the words. */
const labelOf = (element: HTMLElement): string =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim()

// The focus is where the action leaves it, or comes back to, as if it had been pressed there.
function press(element: HTMLElement): void {
  element.focus()
  element.click()
}
