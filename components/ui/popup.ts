/** The surface of everything that floats: menus, selects, popovers. */
export const popupClass =
  'rounded-lg border bg-popover p-1 text-sm shadow-overlay outline-none overlay-fade'

/** An entry of a menu or a select. */
export const itemClass =
  'relative flex min-h-7 cursor-default items-center gap-2 rounded-md px-2 py-1 text-[13px] outline-none ' +
  'select-none data-highlighted:bg-accent data-disabled:pointer-events-none data-disabled:opacity-50 ' +
  '[&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-muted-foreground'
