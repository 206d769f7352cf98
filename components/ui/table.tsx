import type { ComponentProps } from 'react'
import { cn } from './cn'

/** Plain tables of a few known rows; lists from the server use `DataTable`. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return (
    <div className="overflow-x-auto">
      <table className={cn('w-full text-[13px]', className)} {...props} />
    </div>
  )
}

export const Th = ({ className, ...props }: ComponentProps<'th'>) => (
  <th
    scope="col"
    className={cn(
      'h-8 border-b px-4 text-left text-xs font-medium whitespace-nowrap text-muted-foreground',
      className,
    )}
    {...props}
  />
)

export const Td = ({ className, ...props }: ComponentProps<'td'>) => (
  <td className={cn('border-b px-4 py-2 align-top', className)} {...props} />
)
