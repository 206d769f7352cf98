'use client'
import { ErrorState } from '@/components/ui/state'

export default function AdminError({ reset }: { error: Error; reset: () => void }) {
  const error = {
    message:
      'Something went wrong while this page was drawn. Try again; if it stays, look at the server’s log.',
  }
  return <ErrorState title="This page could not be shown" error={error} onRetry={reset} />
}
