import { Button } from './button'
import { formatCount } from './number'

type Props = {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
  /** After the numbers: `records, changed ones first`. */
  text?: string
  'aria-label': string
}

/** Where a page is in a list, with the ways to its neighbours; nothing for a list of one page. */
export function Pager({ page, size, total, onPage, text = '', 'aria-label': label }: Props) {
  if (total <= size) return null
  const first = page * size
  const last = Math.min(total, first + size)
  return (
    <nav
      aria-label={label}
      className="flex flex-wrap items-center gap-2 text-xs text-muted-foreground"
    >
      <span className="tabular mr-auto" aria-live="polite">
        {formatCount(first + 1)}–{formatCount(last)} of {formatCount(total)} {text}
      </span>
      <Button size="sm" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button size="sm" disabled={last >= total} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
