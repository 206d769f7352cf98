'use client'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { chooseOptions } from './check-import'
import { CheckResult } from './check-result'
import { ColumnList } from './column-list'
import { type ImportItem, isMisread } from './import-item'
import { ImportOptionsForm } from './import-options'
import { ImportProgress } from './import-progress'
import { ImportResult } from './import-result'

/** An import, from the columns of its file to its result. */
export function ImportBody({ item }: { item: ImportItem }) {
  const { state, error, preview, check, result } = item
  if (state === 'over' && result) return <ImportResult of={result} error={error} />
  if (state === 'sending' || state === 'running') return <ImportProgress item={item} />
  return (
    <div className="grid gap-5">
      {error && (
        <Notice
          tone="destructive"
          role="alert"
          actions={isMisread(item) && <ReadOtherwise id={item.id} />}
        >
          {error}
        </Notice>
      )}
      {state === 'checking' && <ImportProgress item={item} />}
      {state === 'checked' && check && <CheckResult of={check} />}
      {preview ? (
        <>
          <ImportOptionsForm item={item} preview={preview} />
          <ColumnList item={item} preview={preview} />
        </>
      ) : (
        state === 'checking' && <Skeleton className="h-40" />
      )}
    </div>
  )
}

/** For files that spreadsheets save in the encoding of the computer. */
function ReadOtherwise({ id }: { id: string }) {
  return (
    <Button
      size="sm"
      variant="outline"
      onClick={() => chooseOptions(id, { encoding: 'windows-1252' })}
    >
      Read it as Windows-1252
    </Button>
  )
}
