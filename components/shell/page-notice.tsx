import type { ReactNode } from 'react'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/state'

type Props = {
  /** The shapes of an icon of Lucide, in a box of 24 by 24. */
  icon: ReactNode
  title: string
  children: ReactNode
}

/**
 * What stands in place of a page. The server alone draws it, with an ordinary link and no component of Lucide: what
 * it needed of scripts every page would load at first, since any can turn out to be forbidden.
 */
export const PageNotice = ({ icon, title, children }: Props) => (
  <main className="grid min-h-dvh place-items-center">
    <EmptyState
      isPage
      icon={({ strokeWidth, ...props }) => (
        <svg
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth={strokeWidth}
          strokeLinecap="round"
          strokeLinejoin="round"
          {...props}
          aria-hidden="true"
        >
          {icon}
        </svg>
      )}
      title={title}
      actions={
        <a href="/" className={buttonClass({ variant: 'primary' })}>
          Go to the dashboard
        </a>
      }
    >
      {children}
    </EmptyState>
  </main>
)
