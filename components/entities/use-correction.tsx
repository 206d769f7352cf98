import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { Search } from '@/lib/query/search-key'

type Answer = { data?: { meta: Record<string, unknown> }; isPlaceholderData: boolean }

/** Whether a text search of `q` may be corrected: until its reader wants it as typed. */
export function useCorrection(q: string) {
  const [asTyped, setAsTyped] = useState('')
  const isAsTyped = q !== '' && q === asTyped
  return {
    /** The request, as typed where that is wanted. */
    ask: (search: Search): Search =>
      isAsTyped && search.q !== undefined ? { ...search, corrections: false } : search,
    searchAsTyped: () => setAsTyped(q),
  }
}

/** What an answer is for in place of what was typed; null where it is for that, or for an earlier text. */
export function correctedOf({ data, isPlaceholderData }: Answer): string | null {
  const corrected = isPlaceholderData ? undefined : data?.meta.corrected
  return typeof corrected === 'string' ? corrected : null
}

type Props = { corrected: string; typed: string; onAsTyped: () => void }

/** Says that other words were searched for than those that were typed. */
export const CorrectedNotice = ({ corrected, typed, onAsTyped }: Props) => (
  <p role="status" className="flex flex-wrap items-center gap-x-2 text-xs text-muted-foreground">
    <span>
      Showing results for “<bdi className="font-medium text-foreground">{corrected}</bdi>”.
    </span>
    <Button size="sm" variant="ghost" className="h-6" onClick={onAsTyped}>
      <span>
        Search for “<bdi>{typed}</bdi>” instead
      </span>
    </Button>
  </p>
)
