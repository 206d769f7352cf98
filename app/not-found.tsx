import { FileQuestionIcon } from 'lucide-react'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { EmptyState } from '@/components/ui/state'

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={FileQuestionIcon}
        title="There is no such page"
        actions={
          <Link href="/" className={buttonClass({ variant: 'primary' })}>
            Go to the dashboard
          </Link>
        }
      >
        The address may be old, or what it showed was deleted.
      </EmptyState>
    </main>
  )
}
