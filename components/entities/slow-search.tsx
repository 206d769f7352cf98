'use client'
import { countOf, formatDuration } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import type { Advice } from '@/lib/advice/contract'
import { shapeText } from './shape-text'
import { SuggestedIndex } from './suggested-index'

/** One shape of slow searches: what is searched, how long it takes, and what would help. */
export function SlowSearch({ entity, advice }: { entity: string; advice: Advice }) {
  const { search, runs, meanMs, maxMs, lastAt, before, suggestions, notes } = advice
  return (
    <li className="grid gap-2 px-4 py-3 text-[13px]">
      <p className="font-medium break-words">{shapeText(search)}</p>
      <p className="tabular text-muted-foreground">
        {before && <Gained before={before.meanMs} after={runs > 0 ? meanMs : null} />}
        {runs > 0 && (
          <>
            {countOf(runs, 'run')}, {formatDuration(meanMs)} on average, at most{' '}
            {formatDuration(maxMs)};{' '}
          </>
        )}
        last <Time value={lastAt} relative />
      </p>
      {suggestions.map((suggestion) => (
        <SuggestedIndex
          key={JSON.stringify(suggestion.create)}
          entity={entity}
          suggestion={suggestion}
        />
      ))}
      {notes.map((note) => (
        <p key={note} className="text-muted-foreground">
          {note}.
        </p>
      ))}
    </li>
  )
}

/** Measured: the same searches before the index was ready and since. */
function Gained({ before, after }: { before: number; after: number | null }) {
  if (after === null)
    return <>{formatDuration(before)} on average before the index, no run since; </>
  const times = before / Math.max(after, 0.1)
  return (
    <strong className="font-medium text-foreground">
      {formatDuration(before)} on average before the index, {formatDuration(after)} since
      {times >= 1.1 ? `: ${times.toFixed(1)} times as fast` : ''};{' '}
    </strong>
  )
}
