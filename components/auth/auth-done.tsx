import Link from 'next/link'
import type { ReactNode } from 'react'
import { buttonClass } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'

/** Shown when one of the forms is done, with a link to the sign-in page. */
export const AuthDone = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid gap-4">
    <Notice role="status" title={title}>
      {children}
    </Notice>
    <Link href="/login" className={buttonClass({ variant: 'primary' })}>
      Go to sign in
    </Link>
  </div>
)
