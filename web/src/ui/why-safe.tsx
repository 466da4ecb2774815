/** Why a proof does no harm. Said here alone, wherever it stands. */
export function WhySafe() {
  return (
    <>
      <li>What you sign moves nothing: every address gets back exactly what it had, without a fee.</li>
      <li>No node will ever take it: it is locked until a block that is thousands of years away.</li>
      <li>It names you, so that nobody else can use it. Whoever gets hold of it can read your name beside your coins.</li>
    </>
  );
}
