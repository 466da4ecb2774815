'use client';

import { useEffect, useState } from 'react';

// Loaded when it is needed, and in the browser alone: the page is drawn on the server as well.
export default function Page() {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    window.answers = async (base64) => {
      const { answers } = await import('../answers.js');
      return answers(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
    };
    setReady(true);
  }, []);
  return <p>{ready ? 'ready' : 'not yet'}</p>;
}
