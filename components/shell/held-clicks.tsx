import type { Click } from '@/components/providers'

/**
 * Makes clicks again until React takes them: the controls of the server's HTML are in sight before their
 * scripts have arrived, and React drops clicks on them. It runs as text, before all other scripts, so it uses
 * nothing from outside of itself.
 */
function holdClicks() {
  const controls = 'button,[role=button],[role=checkbox],[role=switch],[role=radio],[role=tab]'
  const waiting = new Set<Element>()
  let served: WeakSet<Element> | null = null

  function clickAgain(control: Element, until: number) {
    const click: Click = new MouseEvent('click', { bubbles: true, cancelable: true })
    control.dispatchEvent(click)
    if (click.isTaken || !control.isConnected || performance.now() > until) waiting.delete(control)
    else requestAnimationFrame(() => clickAgain(control, until))
  }

  // React ends the way of a click that it drops, so it is looked at from the start of its way, and after its end.
  window.addEventListener(
    'click',
    (click: Click) => {
      const control = click.target instanceof Element && click.target.closest(controls)
      // What scripts add later answers by itself.
      if (!control || waiting.has(control) || served?.has(control) === false) return
      setTimeout(() => {
        if (click.isTaken || waiting.has(control)) return
        waiting.add(control)
        clickAgain(control, performance.now() + 30_000)
      })
    },
    true,
  )
  document.addEventListener('DOMContentLoaded', () => {
    served = new WeakSet(document.querySelectorAll(controls))
  })
}

/** Keeps the clicks on a page whose scripts are on their way. `nonce` is of its Content-Security-Policy. */
export const HeldClicks = ({ nonce }: { nonce?: string }) => (
  // Browsers hide a nonce from scripts, which React would report as a difference.
  <script
    nonce={nonce}
    suppressHydrationWarning
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is the function above
    dangerouslySetInnerHTML={{ __html: `(${holdClicks})()` }}
  />
)
