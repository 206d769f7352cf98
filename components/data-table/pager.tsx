import { ChevronLeftIcon, ChevronRightIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn, controlClass } from '@/components/ui/cn'
import { NativeSelect } from '@/components/ui/native-select'
import { formatCount } from '@/components/ui/number'
import { PAGE_SIZES } from './list-params'
import type { ListState } from './use-list-state'

type Props = {
  list: ListState
  /** Null while it is not known. */
  total: number | null | undefined
  isEstimate?: boolean
  shown: number
}

/** Fewer pages are a press away. */
const JUMPED_FROM = 5

const sizeOption = (size: number) => ({ value: String(size), label: String(size) })
const SIZE_OPTIONS = PAGE_SIZES.map(sizeOption)

/** Which rows these are, of how many, and the way to the others. */
export function Pager({ list, total, shown, isEstimate = false }: Props) {
  const { page, size } = list
  const pages = total == null ? page + (shown === size ? 1 : 0) : Math.ceil(total / size)
  const first = (page - 1) * size + 1
  // Every size shows all of them.
  const isShort = total != null && total <= PAGE_SIZES[0] && page === 1
  return (
    <nav
      aria-label="Pages"
      className="@container/pages flex flex-wrap items-center gap-x-3 gap-y-2 text-[13px]"
    >
      <p className="tabular mr-auto text-muted-foreground" aria-live="polite">
        {shown === 0
          ? total === 0
            ? '0 rows'
            : ' '
          : `${formatCount(first)}–${formatCount(first + shown - 1)} of ${total == null ? 'many' : `${isEstimate ? 'about ' : ''}${formatCount(total)}`}`}
      </p>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: NativeSelect is the control */}
      <label className={cn('flex items-center gap-2 text-muted-foreground', isShort && 'hidden')}>
        <span className="sr-only @4xl/pages:not-sr-only">Rows per page</span>
        <NativeSelect
          value={String(size)}
          onValueChange={(next) => list.setSize(Number(next))}
          options={
            SIZE_OPTIONS.some(({ value }) => value === String(size))
              ? SIZE_OPTIONS
              : [sizeOption(size), ...SIZE_OPTIONS]
          }
        />
      </label>
      {total != null && pages > JUMPED_FROM && (
        <PageJump page={page} pages={pages} onPage={list.setPage} />
      )}
      <div className={cn('flex items-center gap-1', pages <= 1 && page <= 1 && 'hidden')}>
        <Button
          size="icon-sm"
          aria-label="Previous page"
          disabled={page <= 1}
          onClick={() => list.setPage(page - 1)}
        >
          <ChevronLeftIcon aria-hidden />
        </Button>
        {pageNumbers(page, pages).map((number, index, all) =>
          number === null ? (
            <span
              key={`before ${all[index + 1]}`}
              aria-hidden
              className="hidden px-1 text-muted-foreground @2xl/pages:inline"
            >
              …
            </span>
          ) : (
            <Button
              key={number}
              size="sm"
              variant={number === page ? 'outline' : 'ghost'}
              aria-label={`Page ${number}`}
              aria-current={number === page ? 'page' : undefined}
              className="tabular hidden min-w-7 @2xl/pages:inline-flex aria-[current]:inline-flex"
              onClick={() => list.setPage(number)}
            >
              {formatCount(number)}
            </Button>
          ),
        )}
        <Button
          size="icon-sm"
          aria-label="Next page"
          disabled={page >= pages}
          onClick={() => list.setPage(page + 1)}
        >
          <ChevronRightIcon aria-hidden />
        </Button>
      </div>
    </nav>
  )
}

/** First, last, and those around the current one; null where some are left out. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const last = Math.max(1, pages)
  const wanted = [1, page - 1, page, page + 1, last].filter((n) => n >= 1 && n <= last)
  const numbers = [...new Set(wanted)].sort((a, b) => a - b)
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1]
    return before !== undefined && number - before > 1 ? [null, number] : [number]
  })
}

type PageJumpProps = { page: number; pages: number; onPage: (page: number) => void }

/** A number to type: Enter goes to that page, or to the last one where there are fewer. */
function PageJump({ page, pages, onPage }: PageJumpProps) {
  const [text, setText] = useState('')
  const id = useId()
  return (
    <form
      className="flex items-center gap-2 text-muted-foreground"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = pageIn(text, pages)
        setText('')
        if (wanted !== null && wanted !== page) onPage(wanted)
      }}
    >
      <label htmlFor={id} className="sr-only @4xl/pages:not-sr-only">
        Go to page
      </label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        placeholder={String(page)}
        title={`From 1 to ${formatCount(pages)}`}
        value={text}
        onChange={(event) => setText(event.target.value.replace(/\D/g, ''))}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation()
            setText('')
          }
        }}
        className={cn(controlClass, 'tabular h-7 w-16 px-2 py-0 text-[13px]')}
      />
    </form>
  )
}

/** The page that a text names, between the first and the last; null for none. */
export function pageIn(text: string, pages: number): number | null {
  const wanted = Number.parseInt(text, 10)
  return Number.isNaN(wanted) ? null : Math.min(Math.max(1, wanted), Math.max(1, pages))
}
