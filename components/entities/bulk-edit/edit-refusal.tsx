import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { ApiError } from '@/lib/http/client'

/** Why records were not changed, or that it is not known whether they were. */
export function EditRefusal({ error }: { error: Error | null }) {
  if (!error) return null
  const isUnknown = error instanceof ApiError && error.status === 0
  return (
    <Notice tone="destructive" role="alert">
      {error.message}
      {isUnknown && (
        <>
          {' '}
          Whether the records were changed is shown in the{' '}
          <Link href="/trash" className="underline underline-offset-2">
            trash
          </Link>
          .
        </>
      )}
    </Notice>
  )
}
