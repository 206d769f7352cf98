'use client'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { ApiError } from '@/lib/http/client'

const CHANGED_MEANWHILE = 412

type RefusalProps = { error: Error; onReload?: () => void }

/** Why nothing was saved, if no single field is the cause. */
export function Refusal({ error, onReload }: RefusalProps) {
  const isStale = error instanceof ApiError && error.status === CHANGED_MEANWHILE
  return (
    <Notice
      tone="destructive"
      role="alert"
      title={isStale ? 'Someone else changed this record' : undefined}
      actions={
        isStale && (
          <Button size="sm" onClick={onReload}>
            Reload
          </Button>
        )
      }
    >
      {isStale ? 'Your changes were not saved.' : error.message}
    </Notice>
  )
}

/** The server's errors by field, for every spelling of a path: `/a/b`, `a.b`, `0.a`. */
export function faultsOf(error: Error): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const entries = error.validations.map(({ field, error: text }) => {
    const [first, second] = field.split(/[./]/).filter(Boolean)
    return [/^\d+$/.test(first ?? '') ? (second ?? '') : (first ?? ''), text]
  })
  return Object.fromEntries(entries)
}
