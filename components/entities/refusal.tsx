import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { ApiError } from '@/lib/http/client'

const CHANGED_MEANWHILE = 412

/** Someone else has saved the record since it was read. */
export const isStale = (error: Error | null): boolean =>
  error instanceof ApiError && error.status === CHANGED_MEANWHILE

type RefusalProps = { error: Error; onReload?: () => void }

/** Why nothing was saved, if no single field is the cause. */
export function Refusal({ error, onReload }: RefusalProps) {
  const wasChanged = isStale(error)
  return (
    <Notice
      tone="destructive"
      role="alert"
      title={wasChanged ? 'Someone else changed this record' : undefined}
      actions={
        wasChanged && (
          <Button size="sm" onClick={onReload}>
            Compare
          </Button>
        )
      }
    >
      {wasChanged ? STALE : error.message}
    </Notice>
  )
}

const STALE =
  'Nothing was saved. Your changes are kept here; compare them with what is stored now, then save again.'

/** The server's errors by field, for every spelling of a path: `/a/b`, `a.b`, `0.a`. */
export function faultsOf(error: Error): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const entries = error.validations.map(({ field, error: text }) => {
    const [first, second] = field.split(/[./]/).filter(Boolean)
    return [/^\d+$/.test(first ?? '') ? (second ?? '') : (first ?? ''), text]
  })
  return Object.fromEntries(entries)
}
