import { FileQuestionIcon } from 'lucide-react'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { EmptyState } from '@/components/ui/state'

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        isPage
        icon={FileQuestionIcon}
        title="Page not found"
        actions={
          <Link href="/" className={buttonClass({ variant: 'primary' })}>
            Go to the dashboard
          </Link>
        }
      >
        The address may be outdated, or the item was deleted.
      </EmptyState>
    </main>
  )
}
