/** What the profile leads here with: the file of a proof that is to be published is asked for again. */
export function PublishAgain() {
  return (
    <section className="rounded-card border border-line bg-surface p-5 text-sm shadow-card sm:p-6">
      <h2 className="text-lg font-semibold">Publish a proof that you have made</h2>
      <p className="mt-1 text-muted">
        Bring the same signed file again: it was not kept. You see what publishing costs before anything is sent. A proof that counts already stays
        as it is.
      </p>
    </section>
  );
}
