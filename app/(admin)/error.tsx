'use client'
import { ErrorState } from '@/components/ui/state'

export default function AdminError({ reset }: { error: Error; reset: () => void }) {
  const error = {
    message:
      'Something went wrong while rendering this page. Try again. If it keeps failing, check the server log.',
  }
  return <ErrorState title="This page can’t be displayed" error={error} onRetry={reset} />
}
