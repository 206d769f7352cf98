import type { APIRequestContext, Page } from '@playwright/test'

/** One row of `jobs.md`. */
export type Job = {
  /** The page where it begins, after what it needs was made by the API. */
  begin: (tools: Tools) => Promise<string>
  /** All that a person does, up to the sight of the result. */
  act: (tools: Tools) => Promise<unknown>
  /** Ends what `begin` has started, after the time was taken. */
  end?: () => Promise<unknown> | undefined
  /** The most presses of the pointer that it may take. */
  clicks: number
}

export type Tools = { page: Page; api: APIRequestContext }

export type Measured = { clicks: number; seconds: number }

/** Does a job. Presses of the pointer are counted over all pages of the tab; typing and dropping a file are none. */
export async function measure({ begin, act, end }: Job, tools: Tools): Promise<Measured> {
  const { page } = tools
  await page.goto(await begin(tools), { waitUntil: 'networkidle' })
  await page.evaluate(() => sessionStorage.removeItem('presses'))
  const started = performance.now()
  try {
    await act(tools)
    const seconds = (performance.now() - started) / 1_000
    const clicks = await page.evaluate(() => Number(sessionStorage.getItem('presses')))
    return { clicks, seconds }
  } finally {
    await end?.()
  }
}

/** Counts presses in every page that opens from now on. */
export async function countPresses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const count = () =>
      sessionStorage.setItem('presses', String(Number(sessionStorage.getItem('presses')) + 1))
    document.addEventListener('pointerdown', count, { capture: true })
  })
}
