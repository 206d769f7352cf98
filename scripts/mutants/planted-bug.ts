/** A defect that a developer could make, as a change of one text. */
export type PlantedBug = {
  id: string
  /** Path from the root of the project. */
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
  /** Parts of the paths of the tests that probably find it; they run before the others of its area. */
  near?: readonly string[]
  /** What is wrong with it, for those who read the results. */
  why: string
  /** Why no test needs to find it, when none does. */
  harmless?: string
}
