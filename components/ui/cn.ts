import { type ClassValue, clsx } from 'clsx'
import { twMerge } from 'tailwind-merge'

/** Joins class names; of two utilities that set the same property the later wins. */
export const cn = (...classes: ClassValue[]): string => twMerge(clsx(classes))

/** The style of inputs and selects. */
export const controlClass =
  'w-full min-w-0 rounded-md border border-input bg-card px-2.5 text-control transition-colors ' +
  'placeholder:text-muted-foreground hover:border-muted-foreground/60 ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 ' +
  'disabled:cursor-not-allowed disabled:opacity-60 [&[readonly]]:bg-muted ' +
  'data-invalid:border-destructive aria-invalid:border-destructive'

/** The surface of everything that floats: menus, selects, popovers. */
export const popupClass =
  'rounded-lg border bg-popover p-1 text-sm shadow-overlay outline-none overlay-fade'

/** An entry of a menu or a select. */
export const itemClass =
  'relative flex min-h-7 cursor-default items-center gap-2 rounded-md px-2 py-1 text-[13px] outline-none ' +
  'select-none data-highlighted:bg-accent data-disabled:pointer-events-none data-disabled:opacity-50 ' +
  '[&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-muted-foreground'
