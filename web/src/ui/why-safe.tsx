/** Why a signed proof moves nothing. */
export function StillSafe() {
  return (
    <>
      <li>Signing moves nothing: every address keeps what it has, and there is no fee.</li>
      <li>No node will accept it for about 8,000 years.</li>
    </>
  );
}

/** Why a proof for a board is harmless. */
export function WhySafe() {
  return (
    <>
      <StillSafe />
      <li>It carries your name, so nobody else can use it. Anyone who sees the file can link you to these coins.</li>
    </>
  );
}
