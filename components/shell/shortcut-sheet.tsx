import { Dialog } from '@/components/ui/dialog'
import { Kbd, ModKey } from '@/components/ui/kbd'
import { mayOpen, NAV_ITEMS } from './nav-items'
import { useViewer } from './viewer'
import type { Viewer } from './viewer-of'

type Shortcut = { keys: string[]; what: string }

/** Stands for ⌘ or Ctrl. */
const MOD = 'Mod'

const GENERAL: Shortcut[] = [
  { keys: [MOD, 'K'], what: 'Search and commands' },
  { keys: ['/'], what: 'Search on this page' },
  { keys: ['['], what: 'Collapse or expand the sidebar' },
  { keys: ['?'], what: 'Keyboard shortcuts' },
  { keys: ['Esc'], what: 'Close the dialog or panel' },
  { keys: ['Alt', 'T'], what: 'To the notices, then Tab to Undo' },
]

const TABLES: Shortcut[] = [
  { keys: ['J', 'K'], what: 'Next or previous row (also ↓ ↑)' },
  { keys: ['→', '←'], what: 'Into the row, from cell to cell' },
  { keys: ['Enter'], what: 'Open the row (also O)' },
  { keys: ['Enter'], what: 'On a cell: edit it (also F2, double click)' },
  { keys: ['E'], what: 'Edit the record' },
  { keys: ['X'], what: 'Select the row (also Space)' },
  { keys: ['⇧', '↑', '↓'], what: 'Select a range (also ⇧ click)' },
  { keys: ['Esc'], what: 'Select nothing' },
  { keys: ['F'], what: 'Filter' },
  { keys: ['⇧', 'F10'], what: 'Menu of the cell' },
  { keys: [MOD, 'C'], what: 'Copy the selected rows, or the cell' },
  { keys: ['⇧', 'click'], what: 'On a column header: add to the sort' },
  { keys: ['⇧', '←', '→'], what: 'On a column header: resize the column' },
]

const RECORDS: Shortcut[] = [
  { keys: ['J', 'K'], what: 'Next or previous record' },
  { keys: ['E'], what: 'Edit the record' },
  { keys: [MOD, 'Enter'], what: 'In any form: save' },
  { keys: ['Esc'], what: 'Close the record or form' },
]

const pagesOf = (viewer: Viewer): Shortcut[] =>
  NAV_ITEMS.filter((item) => item.key && mayOpen(viewer, item)).map(({ key, label }) => ({
    keys: ['G', (key as string).toUpperCase()],
    what: label,
  }))

export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const viewer = useViewer()
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" size="lg" isText>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <div className="grid content-start gap-5">
          <Group title="General" shortcuts={GENERAL} />
          <Group title="Go to" shortcuts={pagesOf(viewer)} />
        </div>
        <div className="grid content-start gap-5">
          <Group title="Tables" shortcuts={TABLES} />
          <Group title="An open record" shortcuts={RECORDS} />
        </div>
      </div>
    </Dialog>
  )
}

function Group({ title, shortcuts }: { title: string; shortcuts: Shortcut[] }) {
  return (
    <section>
      <h3 className="mb-1.5 text-xs text-muted-foreground">{title}</h3>
      <dl className="grid gap-1.5">
        {shortcuts.map(({ keys, what }) => (
          <div key={what} className="flex items-center gap-3">
            <dt className="min-w-0 flex-1 text-[13px]">{what}</dt>
            <dd className="flex gap-0.5">
              {keys.map((key) => (key === MOD ? <ModKey key={key} /> : <Kbd key={key}>{key}</Kbd>))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
