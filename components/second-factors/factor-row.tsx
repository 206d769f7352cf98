import type { ReactNode } from 'react'
import { Time } from '@/components/ui/time'

type Props = { title: ReactNode; detail?: ReactNode; children?: ReactNode; nested?: boolean }

/** One line of the card: what it is, more about it, and what can be done. */
export const FactorRow = ({ title, detail, children, nested }: Props) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
    <div className="grid min-w-48 flex-1 gap-0.5">
      <p className={nested ? 'break-words' : 'font-medium'}>{title}</p>
      {detail && <p className="text-[13px] text-muted-foreground">{detail}</p>}
    </div>
    {children && <div className="flex gap-1">{children}</div>}
  </div>
)

type Times = { createdAt: string; lastUsedAt: string | null }

export const LastUse = ({ createdAt, lastUsedAt }: Times) => (
  <>
    Added <Time value={createdAt} />
    {lastUsedAt ? (
      <>
        , last used <Time value={lastUsedAt} />
      </>
    ) : (
      ', not used yet'
    )}
  </>
)
