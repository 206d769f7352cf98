import Link from 'next/link'
import type { ReactNode } from 'react'
import { buttonClass } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'

type Props = { title: string; intro?: ReactNode; children: ReactNode; footer?: ReactNode }

/** A page of the sign-in: what it is for, a form, and where else to go. */
export const AuthPage = ({ title, intro, children, footer }: Props) => (
  <>
    <div className="grid gap-1">
      <h1 className="text-lg font-semibold">{title}</h1>
      {intro && <p className="text-muted-foreground">{intro}</p>}
    </div>
    {children}
    {footer && <p className="text-[13px] text-muted-foreground">{footer}</p>}
  </>
)

export const authLinkClass =
  'text-foreground underline decoration-border underline-offset-4 hover:decoration-current'

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
