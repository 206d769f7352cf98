import type { ReactNode } from 'react'

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
