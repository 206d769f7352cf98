import type { ReactNode } from 'react'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Logo } from './logo'

/** Frame of a page for visitors who are not signed in; `next` is where the sign-in leads back to. */
export const VisitorFrame = ({ next, children }: { next: string; children: ReactNode }) => (
  <div className="flex min-h-dvh flex-col">
    <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-2 border-b bg-background px-4 md:px-6">
      <Logo />
      <span className="font-semibold">Engine</span>
      <Link
        href={`/login?next=${encodeURIComponent(next)}`}
        className={buttonClass({ size: 'sm' }, 'ml-auto')}
      >
        Sign in
      </Link>
    </header>
    <main id="content" className="flex min-w-0 flex-1 flex-col">
      {children}
    </main>
  </div>
)
