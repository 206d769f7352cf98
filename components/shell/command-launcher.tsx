import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from '@/components/ui/pending-page'
import { mayOpen, NAV_ITEMS } from './nav-items'
import { keepTypedAhead } from './typed-ahead'
import { useViewer } from './viewer'

// Neither is needed for a page to work: they are fetched when first opened.
const CommandPalette = dynamic(() => import('./command-palette'), { ssr: false })
const ShortcutSheet = dynamic(() => import('./shortcut-sheet'), { ssr: false })

const OPEN_COMMANDS = 'engine:commands'
const OPEN_SHORTCUTS = 'engine:shortcuts'

export const openCommands = () => window.dispatchEvent(new Event(OPEN_COMMANDS))
export const openShortcuts = () => window.dispatchEvent(new Event(OPEN_SHORTCUTS))

type Opened = 'commands' | 'shortcuts' | null

/** Listens for the console's keys and holds the two windows they open. */
export function CommandLauncher({ onToggleSidebar }: { onToggleSidebar: () => void }) {
  const [opened, setOpened] = useState<Opened>(null)
  const [isPaletteUsed, setPaletteUsed] = useState(false)
  const open = (which: Exclude<Opened, null>) => {
    if (which === 'commands') {
      keepTypedAhead()
      setPaletteUsed(true)
    }
    setOpened(which)
  }
  const viewer = useViewer()
  const pageAt = (key: string) =>
    NAV_ITEMS.find((item) => item.key === key && mayOpen(viewer, item))
  useKeys({ open, onToggleSidebar, pageAt })
  return (
    <>
      {isPaletteUsed && (
        <CommandPalette open={opened === 'commands'} onClose={() => setOpened(null)} />
      )}
      {opened === 'shortcuts' && <ShortcutSheet onClose={() => setOpened(null)} />}
    </>
  )
}

type Actions = {
  open: (which: 'commands' | 'shortcuts') => void
  onToggleSidebar: () => void
  /** The page of a second key after `g`, if it is for the user. */
  pageAt: (key: string) => { href: string } | undefined
}

function useKeys(actions: Actions): void {
  const latest = useRef(actions)
  latest.current = actions
  const navigate = useNavigate()
  useEffect(() => {
    let pendingGo = 0
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.open('commands')
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const target = Date.now() - pendingGo < GO_MS && latest.current.pageAt(event.key)
      pendingGo = event.key === 'g' ? Date.now() : 0
      if (target) navigate(target.href)
      else if (event.key === '?') latest.current.open('shortcuts')
      else if (event.key === '[') latest.current.onToggleSidebar()
      else if (event.key === '/') focusSearch(event)
    }
    const onCommands = () => latest.current.open('commands')
    const onShortcuts = () => latest.current.open('shortcuts')
    window.addEventListener('keydown', onKey)
    window.addEventListener(OPEN_COMMANDS, onCommands)
    window.addEventListener(OPEN_SHORTCUTS, onShortcuts)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener(OPEN_COMMANDS, onCommands)
      window.removeEventListener(OPEN_SHORTCUTS, onShortcuts)
    }
  }, [navigate])
}

/** How long after `g` the second key counts. */
const GO_MS = 1000

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLElement>('[data-page-search]')
  if (!search) return
  event.preventDefault()
  search.focus()
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]') !== null)
