import { LockIcon } from 'lucide-react'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { EmptyState } from '@/components/ui/state'

export default function Forbidden() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        isPage
        icon={LockIcon}
        title="You don’t have access to this page"
        actions={
          <Link href="/" className={buttonClass({ variant: 'primary' })}>
            Go to the dashboard
          </Link>
        }
      >
        Your roles don’t include it. Ask an administrator for access.
      </EmptyState>
    </main>
  )
}
