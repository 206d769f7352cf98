import Link from 'next/link'
import { buttonClass } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'

/** In place of the form of a link that creates no account. `isClosed`: nor would a new one. */
export const VoidRegistrationLink = ({ isClosed }: { isClosed: boolean }) =>
  isClosed ? (
    <Notice tone="destructive" role="alert" title="This link creates no account any more">
      Accounts are made by administrators here. Ask one of them.
    </Notice>
  ) : (
    <div className="grid gap-4">
      <Notice tone="destructive" role="alert" title="This link was used or has expired">
        A link works once, for 24 hours.
      </Notice>
      <Link href="/register" className={buttonClass({ variant: 'primary' })}>
        Get a new link
      </Link>
    </div>
  )
