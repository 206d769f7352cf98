import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ErasedPart } from '@/lib/erasure/contract'
import { ConfirmDialog } from './alert-dialog'
import { Folded } from './folded'
import { countOf } from './number'
import { ErrorState, Skeleton } from './state'

type Props<Trial> = Pick<
  Parameters<typeof ConfirmDialog>[0],
  'onClose' | 'title' | 'description' | 'confirmLabel' | 'typeToConfirm' | 'attempt' | 'onConfirm'
> & {
  /** What the erasure would do. */
  trial: UseQueryResult<Trial>
  children?: (trial: Trial) => ReactNode
}

/** Shows what an erasure would do to each table before it is done. */
export const ErasureDialog = <Trial extends { parts: readonly ErasedPart[] }>({
  trial,
  children,
  ...dialog
}: Props<Trial>) => (
  <ConfirmDialog {...dialog} disabled={!trial.data}>
    {trial.error ? (
      <ErrorState of={trial} />
    ) : trial.data ? (
      <div className="grid gap-3 text-[13px]">
        <Parts parts={trial.data.parts} />
        {children?.(trial.data)}
      </div>
    ) : (
      <Skeleton className="h-16 rounded-lg" />
    )}
  </ConfirmDialog>
)

function Parts({ parts }: { parts: readonly ErasedPart[] }) {
  const sumOf = (what: 'deleted' | 'changed') => parts.reduce((sum, part) => sum + part[what], 0)
  const lines = parts.map(
    ({ table, deleted, changed }) => `${table}: ${deleted} deleted, ${changed} changed`,
  )
  return (
    <>
      <p>
        {countOf(sumOf('deleted'), 'row')} deleted, {countOf(sumOf('changed'), 'row')} changed:
      </p>
      <Folded characters={lines.join().length}>
        <ul className="grid gap-1 font-mono text-xs break-words">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Folded>
    </>
  )
}
