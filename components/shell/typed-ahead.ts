type TypedAhead = { text: string; isEntered: boolean }

const NOTHING: TypedAhead = { text: '', isEntered: false }
let typed = NOTHING
let stop: (() => void) | null = null

/** Longer than the palette takes to come, in ms; then letters are the page's again. */
const MAX_MS = 10_000

/** Keeps what is typed before the palette is there: letters that follow its key belong to it, not to the page. */
export function keepTypedAhead(): void {
  stop?.()
  typed = NOTHING
  window.addEventListener('keydown', keep, { capture: true })
  const timer = setTimeout(() => stop?.(), MAX_MS)
  stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', keep, { capture: true })
    stop = null
  }
}

function keep(event: KeyboardEvent): void {
  // Its field has the focus: it takes what follows itself.
  if (document.activeElement?.hasAttribute('cmdk-input') || event.key === 'Escape') {
    stop?.()
    return
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const next = after(typed, event.key)
  if (!next) return
  typed = next
  event.preventDefault()
  event.stopImmediatePropagation()
}

function after({ text, isEntered }: TypedAhead, key: string): TypedAhead | null {
  if (key === 'Enter') return { text, isEntered: true }
  if (key === 'Backspace') return { text: text.slice(0, -1), isEntered }
  return key.length === 1 ? { text: text + key, isEntered } : null
}

/** What was typed until now. */
export function takeTypedAhead(): TypedAhead {
  return typed
}

/** The palette is there and takes what follows. */
export function endTypedAhead(): void {
  stop?.()
}
