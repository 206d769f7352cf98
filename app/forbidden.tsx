import { LockIcon } from 'lucide-react'
import { headers } from 'next/headers'
import { rightBehind } from '@/components/shell/why-closed'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { EmptyState } from '@/components/ui/state'
import { PATH_HEADER } from '@/lib/http/security-headers'

/** Says why, and who can change it: an administrator, whose name is for those who may see users. */
export default async function Forbidden() {
  const address = (await headers()).get(PATH_HEADER) ?? '/'
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
        None of your roles lets you {rightBehind(address)}. An administrator can change what your
        roles allow, or give you another one.
      </EmptyState>
    </main>
  )
}
