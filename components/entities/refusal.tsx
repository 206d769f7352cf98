'use client'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { ApiError } from '@/lib/http/client'

const CHANGED_MEANWHILE = 412

type RefusalProps = { error: Error; onReload?: () => void }

/** Why nothing was saved, when it is no single field's fault. */
export function Refusal({ error, onReload }: RefusalProps) {
  const isStale = error instanceof ApiError && error.status === CHANGED_MEANWHILE
  return (
    <Notice
      tone="destructive"
      role="alert"
      title={isStale ? 'Somebody else changed this record' : undefined}
      actions={
        isStale && (
          <Button size="sm" onClick={onReload}>
            Load it anew
          </Button>
        )
      }
    >
      {isStale ? 'What you typed was not saved.' : error.message}
    </Notice>
  )
}

/** The server's faults by field, however it spells the path: `/a/b`, `a.b`, `0.a`. */
export function faultsOf(error: Error): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const entries = error.validations.map(({ field, error: text }) => {
    const [first, second] = field.split(/[./]/).filter(Boolean)
    return [/^\d+$/.test(first ?? '') ? (second ?? '') : (first ?? ''), text]
  })
  return Object.fromEntries(entries)
}
