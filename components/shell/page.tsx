import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { PAGE_ACTIONS } from './page-actions'

type Props = {
  title: ReactNode
  description?: ReactNode
  /** The main action comes last. */
  actions?: ReactNode
  /** Facts beside the title: a status, a count. */
  aside?: ReactNode
  children: ReactNode
  /** On phones the description comes before the actions: for titles that leave no room beside them. */
  stacked?: boolean
  /** Lists use the whole width; forms and texts are easier to read in a column. */
  width?: 'full' | 'narrow'
  /** The page is as high as the window and what is in it scrolls: for tables. */
  fill?: boolean
}

/** Heading and body of a page. */
export function Page(props: Props) {
  const { title, description, actions, aside, children, width = 'full', fill, stacked } = props
  return (
    <div
      className={cn(
        'flex w-full min-w-0 flex-1 flex-col gap-4 px-4 py-5 md:px-6',
        width === 'narrow' && 'mx-auto max-w-4xl',
        fill && 'h-[calc(100dvh-3rem)] min-h-[32rem] flex-none gap-3 pb-3',
      )}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        <div
          className={cn(
            'flex flex-wrap items-center gap-x-3 gap-y-2',
            stacked && 'max-sm:contents',
          )}
        >
          <div className="flex min-h-8 max-w-full min-w-0 flex-auto flex-wrap items-center gap-x-2">
            <h1 className="max-w-full truncate text-lg font-semibold tracking-tight">{title}</h1>
            {aside}
          </div>
          {actions && (
            <div
              {...PAGE_ACTIONS}
              className={cn(
                'flex flex-wrap items-center gap-2',
                stacked && 'max-sm:order-last max-sm:mt-2',
              )}
            >
              {actions}
            </div>
          )}
        </div>
        {description && (
          <div className="max-w-prose text-pretty text-muted-foreground">{description}</div>
        )}
      </div>
      {children}
    </div>
  )
}
