/* Jourdain's player. Contains three 0.187.0 (MIT), uplot 1.6.32 (MIT); licences in LICENSES.txt beside its sources. */
(()=>{var Wa=class{constructor(t,e){this.start=t,this.end=e,this.time=t,this.speed=1,this.loop=!0,this.playing=!1,this.listeners=[],this.wait=0,this.told=0}listen(t){this.listeners.push(t),t(this)}tell(){for(let t of this.listeners)t(this)}seek(t){this.time=Math.min(this.end,Math.max(this.start,t)),this.tell()}play(t=!0){t&&!this.loop&&this.time>=this.end&&(this.time=this.start),this.playing=t&&this.end>this.start,this.tell()}set(t){Object.assign(this,t),this.tell()}advance(t){if(!this.playing)return;let e=this.time+Math.min(t,.25)*this.speed;if(this.told+=t,e<this.end&&this.told<this.wait){this.time=e;return}if(this.told=0,e<this.end)return this.seek(e);if(this.loop)return this.seek(this.start);this.playing=!1,this.seek(this.end)}};var O0={u8:Uint8Array,u16:Uint16Array,u32:Uint32Array,f32:Float32Array,f64:Float64Array};async function cd(){let i=JSON.parse(document.getElementById("data").textContent),t=await B0(document.getElementById("numbers").textContent.trim());return{data:i,arrays:new Rh(t)}}async function B0(i){let t=Uint8Array.from(atob(i),n=>n.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate"));return new Response(e).arrayBuffer()}var Rh=class{constructor(t){this.buffer=t}get(t){return new O0[t.kind](this.buffer,t.at,t.n)}quantised(t){let e=this.get(t.codes),n=t.low.length,s=e.length/n,r=new Float32Array(e.length);for(let o=0;o<n;o++){let a=0;for(let c=0;c<s;c++)a=a+e[o*s+c]&65535,r[c*n+o]=t.low[o]+t.step[o]*a}return r}summed(t){let e=this.get(t).slice();for(let n=1;n<e.length;n++)e[n]+=e[n-1];return e}channels(t){let{count:e}=t,n=this.get(t.low),s=this.get(t.step),r=this.get(t.bits),o=this.get(t.narrow),a=this.get(t.wide),c=n.length,l=new Float32Array(e*c),h=0,u=0;for(let f=0;f<c;f++){let d=0;for(let p=0;p<e;p++)r[f]===16?d=d+o[h++]&65535:r[f]===32&&(d=d+a[u++]>>>0),l[p*c+f]=n[f]+s[f]*d}return l}};function _t(i,t={},...e){let n=document.createElement(i);for(let[s,r]of Object.entries(t))s.startsWith("on")?n.addEventListener(s.slice(2),r):s in n&&typeof r!="string"?n[s]=r:n.setAttribute(s,r);return n.append(...e),n}var k0={play:"M7 4.5v15l12.5-7.5z",pause:"M6.5 5h4v14h-4zM13.5 5h4v14h-4z",loop:"M17 2l4 4-4 4V7H7a3 3 0 0 0-3 3v1H2v-1a5 5 0 0 1 5-5h10zM7 22l-4-4 4-4v3h10a3 3 0 0 0 3-3v-1h2v1a5 5 0 0 1-5 5H7z",full:"M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z"};function Ar(i){let t="http://www.w3.org/2000/svg",e=document.createElementNS(t,"svg");e.setAttribute("viewBox","0 0 24 24"),e.setAttribute("aria-hidden","true");let n=document.createElementNS(t,"path");return n.setAttribute("d",k0[i]),e.append(n),e}function sn(i,t=4){if(i==null||!Number.isFinite(i))return"\u2013";if(i===0)return"0";let e=Math.abs(i);return e>=1e5||e<.001?i.toExponential(Math.max(0,t-2)).replace("e+","e"):String(Number(i.toPrecision(t)))}var ks={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},zs={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},$d=0,cu=1,Jd=2;var sr=1,Kd=2,ro=3,Mi=0,Bn=1,vn=2,ps=0,oo=1,hu=2,uu=3,fu=4,jd=5;var rr=100,Qd=101,tp=102,ep=103,np=104,ip=200,sp=201,rp=202,op=203,du=204,pu=205,ap=206,lp=207,cp=208,hp=209,up=210,fp=211,dp=212,pp=213,mp=214,yl=0,Hr=1,vl=2,Wr=3,Sl=4,Ml=5,bl=6,wl=7,Yl=0,gp=1,_p=2,Ji=0,mu=1,gu=2,_u=3,xu=4,yu=5,vu=6,ga=7,jh="attached",xp="detached",Su=300,or=301,ao=302,Zl=303,$l=304,Xr=1e3,xi=1001,El=1002,Ln=1003,yp=1004;var _a=1005;var Fn=1006,Jl=1007;var ms=1008;var jn=1009,Mu=1010,bu=1011,lo=1012,Kl=1013,ci=1014,hi=1015,Di=1016,jl=1017,Ql=1018,ar=1020,wu=35902,Eu=35899,Tu=1021,Au=1022,Qn=1023,us=1026,gs=1027,tc=1028,co=1029,Vs=1030,ec=1031;var nc=1033,xa=33776,ya=33777,va=33778,Sa=33779,ic=35840,sc=35841,rc=35842,oc=35843,ac=36196,lc=37492,cc=37496,hc=37488,uc=37489,Ma=37490,fc=37491,dc=37808,pc=37809,mc=37810,gc=37811,_c=37812,xc=37813,yc=37814,vc=37815,Sc=37816,Mc=37817,bc=37818,wc=37819,Ec=37820,Tc=37821,Ac=36492,Rc=36494,Cc=36495,Pc=36283,Ic=36284,ba=36285,Lc=36286;var Xo=2300,Tl=2301,_l=2302,Qh=2303,tu=2400,eu=2401,nu=2402;var vp=3200;var wa=0,Sp=1,_s="",yn="srgb",qo="srgb-linear",Yo="linear",Re="srgb";var xl=7680;var Mp=519,bp=512,wp=513,Ep=514,Ru=515,Tp=516,Ap=517,Cu=518,Pu=519,Rp=35044;var Ea="300 es",yi=2e3,qr=2001;function z0(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function V0(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function Zo(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function Cp(){let i=Zo("canvas");return i.style.display="block",i}var hd={},Yr=null;function Iu(...i){let t="THREE."+i.shift();Yr?Yr("log",t,...i):console.log(t,...i)}function Pp(i){let t=i[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=i[1];e&&e.isStackTrace?i[0]+=" "+e.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function Xt(...i){i=Pp(i);let t="THREE."+i.shift();if(Yr)Yr("warn",t,...i);else{let e=i[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...i)}}function te(...i){i=Pp(i);let t="THREE."+i.shift();if(Yr)Yr("error",t,...i);else{let e=i[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...i)}}function Go(...i){let t=i.join(" ");t in hd||(hd[t]=!0,Xt(...i))}function Ip(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}var Lp={[yl]:yl,[vl]:bl,[Sl]:Sl,[Wr]:Ml,[Hr]:Hr,[bl]:vl,[wl]:wl,[Ml]:Wr},Ii=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){let n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){let n=this._listeners;if(n===void 0)return;let s=n[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let n=e[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},zn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],ud=1234567,Ho=Math.PI/180,Zr=180/Math.PI;function lr(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(zn[i&255]+zn[i>>8&255]+zn[i>>16&255]+zn[i>>24&255]+"-"+zn[t&255]+zn[t>>8&255]+"-"+zn[t>>16&15|64]+zn[t>>24&255]+"-"+zn[e&63|128]+zn[e>>8&255]+"-"+zn[e>>16&255]+zn[e>>24&255]+zn[n&255]+zn[n>>8&255]+zn[n>>16&255]+zn[n>>24&255]).toLowerCase()}function pe(i,t,e){return Math.max(t,Math.min(e,i))}function Lu(i,t){return(i%t+t)%t}function G0(i,t,e,n,s){return n+(i-t)*(s-n)/(e-t)}function H0(i,t,e){return i!==t?(e-i)/(t-i):0}function Wo(i,t,e){return(1-e)*i+e*t}function W0(i,t,e,n){return Wo(i,t,1-Math.exp(-e*n))}function X0(i,t=1){return t-Math.abs(Lu(i,t*2)-t)}function q0(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*(3-2*i))}function Y0(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*i*(i*(i*6-15)+10))}function Z0(i,t){return i+Math.floor(Math.random()*(t-i+1))}function $0(i,t){return i+Math.random()*(t-i)}function J0(i){return i*(.5-Math.random())}function K0(i){i!==void 0&&(ud=i);let t=ud+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function j0(i){return i*Ho}function Q0(i){return i*Zr}function t_(i){return i>0&&Number.isInteger(i)&&2**Math.round(Math.log2(i))===i}function e_(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function Du(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function n_(i,t,e,n,s){let r=Math.cos,o=Math.sin,a=r(e/2),c=o(e/2),l=r((t+n)/2),h=o((t+n)/2),u=r((t-n)/2),f=o((t-n)/2),d=r((n-t)/2),p=o((n-t)/2);switch(s){case"XYX":i.set(a*h,c*u,c*f,a*l);break;case"YZY":i.set(c*f,a*h,c*u,a*l);break;case"ZXZ":i.set(c*u,c*f,a*h,a*l);break;case"XZX":i.set(a*h,c*p,c*d,a*l);break;case"YXY":i.set(c*d,a*h,c*p,a*l);break;case"ZYZ":i.set(c*p,c*d,a*h,a*l);break;default:Xt("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function Nu(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Dp(i,t){if(t.constructor===Float32Array)return i;let e=Nu(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/e,-1)}function Np(i,t){if(t.constructor===Float32Array)return i;let e=Nu(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*e)}var Uu={DEG2RAD:Ho,RAD2DEG:Zr,generateUUID:lr,clamp:pe,euclideanModulo:Lu,mapLinear:G0,inverseLerp:H0,lerp:Wo,damp:W0,pingpong:X0,smoothstep:q0,smootherstep:Y0,randInt:Z0,randFloat:$0,randFloatSpread:J0,seededRandom:K0,degToRad:j0,radToDeg:Q0,isPowerOfTwo:t_,ceilPowerOfTwo:e_,floorPowerOfTwo:Du,setQuaternionFromProperEuler:n_,normalize:Np,denormalize:Dp},qt=class{static{this.prototype.isVector2=!0}constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(pe(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},On=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let c=n[s+0],l=n[s+1],h=n[s+2],u=n[s+3],f=r[o+0],d=r[o+1],p=r[o+2],y=r[o+3];if(u!==y||c!==f||l!==d||h!==p){let m=c*f+l*d+h*p+u*y;m<0&&(f=-f,d=-d,p=-p,y=-y,m=-m);let g=1-a;if(m<.9995){let M=Math.acos(m),A=Math.sin(M);g=Math.sin(g*M)/A,a=Math.sin(a*M)/A,c=c*g+f*a,l=l*g+d*a,h=h*g+p*a,u=u*g+y*a}else{c=c*g+f*a,l=l*g+d*a,h=h*g+p*a,u=u*g+y*a;let M=1/Math.sqrt(c*c+l*l+h*h+u*u);c*=M,l*=M,h*=M,u*=M}}t[e]=c,t[e+1]=l,t[e+2]=h,t[e+3]=u}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],c=n[s+1],l=n[s+2],h=n[s+3],u=r[o],f=r[o+1],d=r[o+2],p=r[o+3];return t[e]=a*p+h*u+c*d-l*f,t[e+1]=c*p+h*f+l*u-a*d,t[e+2]=l*p+h*d+a*f-c*u,t[e+3]=h*p-a*u-c*f-l*d,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,c=Math.sin,l=a(n/2),h=a(s/2),u=a(r/2),f=c(n/2),d=c(s/2),p=c(r/2);switch(o){case"XYZ":this._x=f*h*u+l*d*p,this._y=l*d*u-f*h*p,this._z=l*h*p+f*d*u,this._w=l*h*u-f*d*p;break;case"YXZ":this._x=f*h*u+l*d*p,this._y=l*d*u-f*h*p,this._z=l*h*p-f*d*u,this._w=l*h*u+f*d*p;break;case"ZXY":this._x=f*h*u-l*d*p,this._y=l*d*u+f*h*p,this._z=l*h*p+f*d*u,this._w=l*h*u-f*d*p;break;case"ZYX":this._x=f*h*u-l*d*p,this._y=l*d*u+f*h*p,this._z=l*h*p-f*d*u,this._w=l*h*u+f*d*p;break;case"YZX":this._x=f*h*u+l*d*p,this._y=l*d*u+f*h*p,this._z=l*h*p-f*d*u,this._w=l*h*u-f*d*p;break;case"XZY":this._x=f*h*u-l*d*p,this._y=l*d*u-f*h*p,this._z=l*h*p+f*d*u,this._w=l*h*u+f*d*p;break;default:Xt("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],c=e[9],l=e[2],h=e[6],u=e[10],f=n+a+u;if(f>0){let d=.5/Math.sqrt(f+1);this._w=.25/d,this._x=(h-c)*d,this._y=(r-l)*d,this._z=(o-s)*d}else if(n>a&&n>u){let d=2*Math.sqrt(1+n-a-u);this._w=(h-c)/d,this._x=.25*d,this._y=(s+o)/d,this._z=(r+l)/d}else if(a>u){let d=2*Math.sqrt(1+a-n-u);this._w=(r-l)/d,this._x=(s+o)/d,this._y=.25*d,this._z=(c+h)/d}else{let d=2*Math.sqrt(1+u-n-a);this._w=(o-s)/d,this._x=(r+l)/d,this._y=(c+h)/d,this._z=.25*d}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(pe(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,c=e._y,l=e._z,h=e._w;return this._x=n*h+o*a+s*l-r*c,this._y=s*h+o*c+r*a-n*l,this._z=r*h+o*l+n*c-s*a,this._w=o*h-n*a-s*c-r*l,this._onChangeCallback(),this}slerp(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let c=1-e;if(a<.9995){let l=Math.acos(a),h=Math.sin(l);c=Math.sin(c*l)/h,e=Math.sin(e*l)/h,this._x=this._x*c+n*e,this._y=this._y*c+s*e,this._z=this._z*c+r*e,this._w=this._w*c+o*e,this._onChangeCallback()}else this._x=this._x*c+n*e,this._y=this._y*c+s*e,this._z=this._z*c+r*e,this._w=this._w*c+o*e,this.normalize();return this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},U=class{static{this.prototype.isVector3=!0}constructor(t=0,e=0,n=0){this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(fd.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(fd.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,c=t.w,l=2*(o*s-a*n),h=2*(a*e-r*s),u=2*(r*n-o*e);return this.x=e+c*l+o*u-a*h,this.y=n+c*h+a*l-r*u,this.z=s+c*u+r*h-o*l,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this.z=pe(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this.z=pe(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,c=e.z;return this.x=s*c-r*a,this.y=r*o-n*c,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return Ch.copy(this).projectOnVector(t),this.sub(Ch)}reflect(t){return this.sub(Ch.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(pe(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Ch=new U,fd=new On,ne=class{static{this.prototype.isMatrix3=!0}constructor(t,e,n,s,r,o,a,c,l){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,c,l)}set(t,e,n,s,r,o,a,c,l){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=c,h[6]=n,h[7]=o,h[8]=l,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],c=n[6],l=n[1],h=n[4],u=n[7],f=n[2],d=n[5],p=n[8],y=s[0],m=s[3],g=s[6],M=s[1],A=s[4],v=s[7],R=s[2],T=s[5],x=s[8];return r[0]=o*y+a*M+c*R,r[3]=o*m+a*A+c*T,r[6]=o*g+a*v+c*x,r[1]=l*y+h*M+u*R,r[4]=l*m+h*A+u*T,r[7]=l*g+h*v+u*x,r[2]=f*y+d*M+p*R,r[5]=f*m+d*A+p*T,r[8]=f*g+d*v+p*x,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],h=t[8];return e*o*h-e*a*l-n*r*h+n*a*c+s*r*l-s*o*c}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],h=t[8],u=h*o-a*l,f=a*c-h*r,d=l*r-o*c,p=e*u+n*f+s*d;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let y=1/p;return t[0]=u*y,t[1]=(s*l-h*n)*y,t[2]=(a*n-s*o)*y,t[3]=f*y,t[4]=(h*e-s*c)*y,t[5]=(s*r-a*e)*y,t[6]=d*y,t[7]=(n*c-l*e)*y,t[8]=(o*e-n*r)*y,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let c=Math.cos(r),l=Math.sin(r);return this.set(n*c,n*l,-n*(c*o+l*a)+o+t,-s*l,s*c,-s*(-l*o+c*a)+a+e,0,0,1),this}scale(t,e){return Go("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(Ph.makeScale(t,e)),this}rotate(t){return Go("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(Ph.makeRotation(-t)),this}translate(t,e){return Go("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(Ph.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}},Ph=new ne,dd=new ne().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),pd=new ne().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function i_(){let i={enabled:!0,workingColorSpace:qo,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Re&&(s.r=hs(s.r),s.g=hs(s.g),s.b=hs(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Re&&(s.r=Gr(s.r),s.g=Gr(s.g),s.b=Gr(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===_s?Yo:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[qo]:{primaries:t,whitePoint:n,transfer:Yo,toXYZ:dd,fromXYZ:pd,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:yn},outputColorSpaceConfig:{drawingBufferColorSpace:yn}},[yn]:{primaries:t,whitePoint:n,transfer:Re,toXYZ:dd,fromXYZ:pd,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:yn}}}),i}var _e=i_();function hs(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function Gr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Rr,Al=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{Rr===void 0&&(Rr=Zo("canvas")),Rr.width=t.width,Rr.height=t.height;let s=Rr.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=Rr}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=Zo("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=hs(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(hs(e[n]/255)*255):e[n]=hs(e[n]);return{data:e,width:t.width,height:t.height}}else return Xt("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},s_=0,$r=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:s_++}),this.uuid=lr(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Ih(s[o].image)):r.push(Ih(s[o]))}else r=Ih(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function Ih(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Al.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(Xt("Texture: Unable to serialize Texture."),{})}var r_=0,Lh=new U,Gn=class i extends Ii{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=xi,s=xi,r=Fn,o=ms,a=Qn,c=jn,l=i.DEFAULT_ANISOTROPY,h=_s){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:r_++}),this.uuid=lr(),this.name="",this.source=new $r(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=l,this.format=a,this.internalFormat=null,this.type=c,this.offset=new qt(0,0),this.repeat=new qt(1,1),this.center=new qt(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new ne,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Lh).x}get height(){return this.source.getSize(Lh).y}get depth(){return this.source.getSize(Lh).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let n=t[e];if(n===void 0){Xt(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Xt(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Su)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Xr:t.x=t.x-Math.floor(t.x);break;case xi:t.x=t.x<0?0:1;break;case El:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Xr:t.y=t.y-Math.floor(t.y);break;case xi:t.y=t.y<0?0:1;break;case El:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};Gn.DEFAULT_IMAGE=null;Gn.DEFAULT_MAPPING=Su;Gn.DEFAULT_ANISOTROPY=1;var Me=class{static{this.prototype.isVector4=!0}constructor(t=0,e=0,n=0,s=1){this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,c=t.elements,l=c[0],h=c[4],u=c[8],f=c[1],d=c[5],p=c[9],y=c[2],m=c[6],g=c[10];if(Math.abs(h-f)<.01&&Math.abs(u-y)<.01&&Math.abs(p-m)<.01){if(Math.abs(h+f)<.1&&Math.abs(u+y)<.1&&Math.abs(p+m)<.1&&Math.abs(l+d+g-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let A=(l+1)/2,v=(d+1)/2,R=(g+1)/2,T=(h+f)/4,x=(u+y)/4,E=(p+m)/4;return A>v&&A>R?A<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(A),s=T/n,r=x/n):v>R?v<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(v),n=T/s,r=E/s):R<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(R),n=x/r,s=E/r),this.set(n,s,r,e),this}let M=Math.sqrt((m-p)*(m-p)+(u-y)*(u-y)+(f-h)*(f-h));return Math.abs(M)<.001&&(M=1),this.x=(m-p)/M,this.y=(u-y)/M,this.z=(f-h)/M,this.w=Math.acos((l+d+g-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this.z=pe(this.z,t.z,e.z),this.w=pe(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this.z=pe(this.z,t,e),this.w=pe(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Rl=class extends Ii{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Fn,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new Me(0,0,t,e),this.scissorTest=!1,this.viewport=new Me(0,0,t,e),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new Gn({width:t,height:e,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:Fn,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new $r(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},ai=class extends Rl{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},$o=class extends Gn{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Ln,this.minFilter=Ln,this.wrapR=xi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Cl=class extends Gn{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Ln,this.minFilter=Ln,this.wrapR=xi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var Yt=class i{static{this.prototype.isMatrix4=!0}constructor(t,e,n,s,r,o,a,c,l,h,u,f,d,p,y,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,c,l,h,u,f,d,p,y,m)}set(t,e,n,s,r,o,a,c,l,h,u,f,d,p,y,m){let g=this.elements;return g[0]=t,g[4]=e,g[8]=n,g[12]=s,g[1]=r,g[5]=o,g[9]=a,g[13]=c,g[2]=l,g[6]=h,g[10]=u,g[14]=f,g[3]=d,g[7]=p,g[11]=y,g[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),n.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,n=t.elements,s=1/Cr.setFromMatrixColumn(t,0).length(),r=1/Cr.setFromMatrixColumn(t,1).length(),o=1/Cr.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),c=Math.cos(s),l=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(t.order==="XYZ"){let f=o*h,d=o*u,p=a*h,y=a*u;e[0]=c*h,e[4]=-c*u,e[8]=l,e[1]=d+p*l,e[5]=f-y*l,e[9]=-a*c,e[2]=y-f*l,e[6]=p+d*l,e[10]=o*c}else if(t.order==="YXZ"){let f=c*h,d=c*u,p=l*h,y=l*u;e[0]=f+y*a,e[4]=p*a-d,e[8]=o*l,e[1]=o*u,e[5]=o*h,e[9]=-a,e[2]=d*a-p,e[6]=y+f*a,e[10]=o*c}else if(t.order==="ZXY"){let f=c*h,d=c*u,p=l*h,y=l*u;e[0]=f-y*a,e[4]=-o*u,e[8]=p+d*a,e[1]=d+p*a,e[5]=o*h,e[9]=y-f*a,e[2]=-o*l,e[6]=a,e[10]=o*c}else if(t.order==="ZYX"){let f=o*h,d=o*u,p=a*h,y=a*u;e[0]=c*h,e[4]=p*l-d,e[8]=f*l+y,e[1]=c*u,e[5]=y*l+f,e[9]=d*l-p,e[2]=-l,e[6]=a*c,e[10]=o*c}else if(t.order==="YZX"){let f=o*c,d=o*l,p=a*c,y=a*l;e[0]=c*h,e[4]=y-f*u,e[8]=p*u+d,e[1]=u,e[5]=o*h,e[9]=-a*h,e[2]=-l*h,e[6]=d*u+p,e[10]=f-y*u}else if(t.order==="XZY"){let f=o*c,d=o*l,p=a*c,y=a*l;e[0]=c*h,e[4]=-u,e[8]=l*h,e[1]=f*u+y,e[5]=o*h,e[9]=d*u-p,e[2]=p*u-d,e[6]=a*h,e[10]=y*u+f}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(o_,t,a_)}lookAt(t,e,n){let s=this.elements;return ri.subVectors(t,e),ri.lengthSq()===0&&(ri.z=1),ri.normalize(),As.crossVectors(n,ri),As.lengthSq()===0&&(Math.abs(n.z)===1?ri.x+=1e-4:ri.z+=1e-4,ri.normalize(),As.crossVectors(n,ri)),As.normalize(),Xa.crossVectors(ri,As),s[0]=As.x,s[4]=Xa.x,s[8]=ri.x,s[1]=As.y,s[5]=Xa.y,s[9]=ri.y,s[2]=As.z,s[6]=Xa.z,s[10]=ri.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],c=n[8],l=n[12],h=n[1],u=n[5],f=n[9],d=n[13],p=n[2],y=n[6],m=n[10],g=n[14],M=n[3],A=n[7],v=n[11],R=n[15],T=s[0],x=s[4],E=s[8],B=s[12],L=s[1],D=s[5],k=s[9],V=s[13],I=s[2],G=s[6],Y=s[10],H=s[14],at=s[3],$=s[7],j=s[11],nt=s[15];return r[0]=o*T+a*L+c*I+l*at,r[4]=o*x+a*D+c*G+l*$,r[8]=o*E+a*k+c*Y+l*j,r[12]=o*B+a*V+c*H+l*nt,r[1]=h*T+u*L+f*I+d*at,r[5]=h*x+u*D+f*G+d*$,r[9]=h*E+u*k+f*Y+d*j,r[13]=h*B+u*V+f*H+d*nt,r[2]=p*T+y*L+m*I+g*at,r[6]=p*x+y*D+m*G+g*$,r[10]=p*E+y*k+m*Y+g*j,r[14]=p*B+y*V+m*H+g*nt,r[3]=M*T+A*L+v*I+R*at,r[7]=M*x+A*D+v*G+R*$,r[11]=M*E+A*k+v*Y+R*j,r[15]=M*B+A*V+v*H+R*nt,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],c=t[9],l=t[13],h=t[2],u=t[6],f=t[10],d=t[14],p=t[3],y=t[7],m=t[11],g=t[15],M=c*d-l*f,A=a*d-l*u,v=a*f-c*u,R=o*d-l*h,T=o*f-c*h,x=o*u-a*h;return e*(y*M-m*A+g*v)-n*(p*M-m*R+g*T)+s*(p*A-y*R+g*x)-r*(p*v-y*T+m*x)}determinantAffine(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[1],o=t[5],a=t[9],c=t[2],l=t[6],h=t[10];return e*(o*h-a*l)-n*(r*h-a*c)+s*(r*l-o*c)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],h=t[8],u=t[9],f=t[10],d=t[11],p=t[12],y=t[13],m=t[14],g=t[15],M=e*a-n*o,A=e*c-s*o,v=e*l-r*o,R=n*c-s*a,T=n*l-r*a,x=s*l-r*c,E=h*y-u*p,B=h*m-f*p,L=h*g-d*p,D=u*m-f*y,k=u*g-d*y,V=f*g-d*m,I=M*V-A*k+v*D+R*L-T*B+x*E;if(I===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let G=1/I;return t[0]=(a*V-c*k+l*D)*G,t[1]=(s*k-n*V-r*D)*G,t[2]=(y*x-m*T+g*R)*G,t[3]=(f*T-u*x-d*R)*G,t[4]=(c*L-o*V-l*B)*G,t[5]=(e*V-s*L+r*B)*G,t[6]=(m*v-p*x-g*A)*G,t[7]=(h*x-f*v+d*A)*G,t[8]=(o*k-a*L+l*E)*G,t[9]=(n*L-e*k-r*E)*G,t[10]=(p*T-y*v+g*M)*G,t[11]=(u*v-h*T-d*M)*G,t[12]=(a*B-o*D-c*E)*G,t[13]=(e*D-n*B+s*E)*G,t[14]=(y*A-p*R-m*M)*G,t[15]=(h*R-u*A+f*M)*G,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,c=t.z,l=r*o,h=r*a;return this.set(l*o+n,l*a-s*c,l*c+s*a,0,l*a+s*c,h*a+n,h*c-s*o,0,l*c-s*a,h*c+s*o,r*c*c+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,c=e._w,l=r+r,h=o+o,u=a+a,f=r*l,d=r*h,p=r*u,y=o*h,m=o*u,g=a*u,M=c*l,A=c*h,v=c*u,R=n.x,T=n.y,x=n.z;return s[0]=(1-(y+g))*R,s[1]=(d+v)*R,s[2]=(p-A)*R,s[3]=0,s[4]=(d-v)*T,s[5]=(1-(f+g))*T,s[6]=(m+M)*T,s[7]=0,s[8]=(p+A)*x,s[9]=(m-M)*x,s[10]=(1-(f+y))*x,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),e.identity(),this;let o=Cr.set(s[0],s[1],s[2]).length(),a=Cr.set(s[4],s[5],s[6]).length(),c=Cr.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Ri.copy(this);let l=1/o,h=1/a,u=1/c;return Ri.elements[0]*=l,Ri.elements[1]*=l,Ri.elements[2]*=l,Ri.elements[4]*=h,Ri.elements[5]*=h,Ri.elements[6]*=h,Ri.elements[8]*=u,Ri.elements[9]*=u,Ri.elements[10]*=u,e.setFromRotationMatrix(Ri),n.x=o,n.y=a,n.z=c,this}makePerspective(t,e,n,s,r,o,a=yi,c=!1){let l=this.elements,h=2*r/(e-t),u=2*r/(n-s),f=(e+t)/(e-t),d=(n+s)/(n-s),p,y;if(c)p=r/(o-r),y=o*r/(o-r);else if(a===yi)p=-(o+r)/(o-r),y=-2*o*r/(o-r);else if(a===qr)p=-o/(o-r),y=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return l[0]=h,l[4]=0,l[8]=f,l[12]=0,l[1]=0,l[5]=u,l[9]=d,l[13]=0,l[2]=0,l[6]=0,l[10]=p,l[14]=y,l[3]=0,l[7]=0,l[11]=-1,l[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=yi,c=!1){let l=this.elements,h=2/(e-t),u=2/(n-s),f=-(e+t)/(e-t),d=-(n+s)/(n-s),p,y;if(c)p=1/(o-r),y=o/(o-r);else if(a===yi)p=-2/(o-r),y=-(o+r)/(o-r);else if(a===qr)p=-1/(o-r),y=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return l[0]=h,l[4]=0,l[8]=0,l[12]=f,l[1]=0,l[5]=u,l[9]=0,l[13]=d,l[2]=0,l[6]=0,l[10]=p,l[14]=y,l[3]=0,l[7]=0,l[11]=0,l[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}},Cr=new U,Ri=new Yt,o_=new U(0,0,0),a_=new U(1,1,1),As=new U,Xa=new U,ri=new U,md=new Yt,gd=new On,qi=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],c=s[1],l=s[5],h=s[9],u=s[2],f=s[6],d=s[10];switch(e){case"XYZ":this._y=Math.asin(pe(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,d),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(f,l),this._z=0);break;case"YXZ":this._x=Math.asin(-pe(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,d),this._z=Math.atan2(c,l)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(pe(f,-1,1)),Math.abs(f)<.9999999?(this._y=Math.atan2(-u,d),this._z=Math.atan2(-o,l)):(this._y=0,this._z=Math.atan2(c,r));break;case"ZYX":this._y=Math.asin(-pe(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(f,d),this._z=Math.atan2(c,r)):(this._x=0,this._z=Math.atan2(-o,l));break;case"YZX":this._z=Math.asin(pe(c,-1,1)),Math.abs(c)<.9999999?(this._x=Math.atan2(-h,l),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,d));break;case"XZY":this._z=Math.asin(-pe(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(f,l),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,d),this._y=0);break;default:Xt("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return md.makeRotationFromQuaternion(t),this.setFromRotationMatrix(md,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return gd.setFromEuler(this),this.setFromQuaternion(gd,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};qi.DEFAULT_ORDER="XYZ";var Jr=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},l_=0,_d=new U,Pr=new On,rs=new Yt,qa=new U,No=new U,c_=new U,h_=new On,xd=new U(1,0,0),yd=new U(0,1,0),vd=new U(0,0,1),Sd={type:"added"},u_={type:"removed"},Ir={type:"childadded",child:null},Dh={type:"childremoved",child:null},rn=class i extends Ii{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:l_++}),this.uuid=lr(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new U,e=new qi,n=new On,s=new U(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Yt},normalMatrix:{value:new ne}}),this.matrix=new Yt,this.matrixWorld=new Yt,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Jr,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return Pr.setFromAxisAngle(t,e),this.quaternion.multiply(Pr),this}rotateOnWorldAxis(t,e){return Pr.setFromAxisAngle(t,e),this.quaternion.premultiply(Pr),this}rotateX(t){return this.rotateOnAxis(xd,t)}rotateY(t){return this.rotateOnAxis(yd,t)}rotateZ(t){return this.rotateOnAxis(vd,t)}translateOnAxis(t,e){return _d.copy(t).applyQuaternion(this.quaternion),this.position.add(_d.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(xd,t)}translateY(t){return this.translateOnAxis(yd,t)}translateZ(t){return this.translateOnAxis(vd,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(rs.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?qa.copy(t):qa.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),No.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?rs.lookAt(No,qa,this.up):rs.lookAt(qa,No,this.up),this.quaternion.setFromRotationMatrix(rs),s&&(rs.extractRotation(s.matrixWorld),Pr.setFromRotationMatrix(rs),this.quaternion.premultiply(Pr.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(te("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(Sd),Ir.child=t,this.dispatchEvent(Ir),Ir.child=null):te("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(u_),Dh.child=t,this.dispatchEvent(Dh),Dh.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),rs.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),rs.multiply(t.parent.matrixWorld)),t.applyMatrix4(rs),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(Sd),Ir.child=t,this.dispatchEvent(Ir),Ir.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(No,t,c_),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(No,h_,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,n=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*n-r[8]*s,r[13]+=n-r[1]*e-r[5]*n-r[9]*s,r[14]+=s-r[2]*e-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e,n=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,c){return a[c.uuid]===void 0&&(a[c.uuid]=c.toJSON(t)),c.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let c=a.shapes;if(Array.isArray(c))for(let l=0,h=c.length;l<h;l++){let u=c[l];r(t.shapes,u)}else r(t.shapes,c)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let c=0,l=this.material.length;c<l;c++)a.push(r(t.materials,this.material[c]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let c=this.animations[a];s.animations.push(r(t.animations,c))}}if(e){let a=o(t.geometries),c=o(t.materials),l=o(t.textures),h=o(t.images),u=o(t.shapes),f=o(t.skeletons),d=o(t.animations),p=o(t.nodes);a.length>0&&(n.geometries=a),c.length>0&&(n.materials=c),l.length>0&&(n.textures=l),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),f.length>0&&(n.skeletons=f),d.length>0&&(n.animations=d),p.length>0&&(n.nodes=p)}return n.object=s,n;function o(a){let c=[];for(let l in a){let h=a[l];delete h.metadata,c.push(h)}return c}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};rn.DEFAULT_UP=new U(0,1,0);rn.DEFAULT_MATRIX_AUTO_UPDATE=!0;rn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var pn=class extends rn{constructor(){super(),this.isGroup=!0,this.type="Group"}},f_={type:"move"},Kr=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new pn,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new pn,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new U,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new U),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new pn,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new U,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new U,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,c=this._grip,l=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(l&&t.hand){o=!0;for(let y of t.hand.values()){let m=e.getJointPose(y,n),g=this._getHandJoint(l,y);m!==null&&(g.matrix.fromArray(m.transform.matrix),g.matrix.decompose(g.position,g.quaternion,g.scale),g.matrixWorldNeedsUpdate=!0,g.jointRadius=m.radius),g.visible=m!==null}let h=l.joints["index-finger-tip"],u=l.joints["thumb-tip"],f=h.position.distanceTo(u.position),d=.02,p=.005;l.inputState.pinching&&f>d+p?(l.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!l.inputState.pinching&&f<=d-p&&(l.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else c!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(c.matrix.fromArray(r.transform.matrix),c.matrix.decompose(c.position,c.quaternion,c.scale),c.matrixWorldNeedsUpdate=!0,r.linearVelocity?(c.hasLinearVelocity=!0,c.linearVelocity.copy(r.linearVelocity)):c.hasLinearVelocity=!1,r.angularVelocity?(c.hasAngularVelocity=!0,c.angularVelocity.copy(r.angularVelocity)):c.hasAngularVelocity=!1,c.eventsEnabled&&c.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(f_)))}return a!==null&&(a.visible=s!==null),c!==null&&(c.visible=r!==null),l!==null&&(l.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new pn;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},Up={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Rs={h:0,s:0,l:0},Ya={h:0,s:0,l:0};function Nh(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var Zt=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=yn){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,_e.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=_e.workingColorSpace){return this.r=t,this.g=e,this.b=n,_e.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=_e.workingColorSpace){if(t=Lu(t,1),e=pe(e,0,1),n=pe(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=Nh(o,r,t+1/3),this.g=Nh(o,r,t),this.b=Nh(o,r,t-1/3)}return _e.colorSpaceToWorking(this,s),this}setStyle(t,e=yn){function n(r){r!==void 0&&parseFloat(r)<1&&Xt("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:Xt("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);Xt("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=yn){let n=Up[t.toLowerCase()];return n!==void 0?this.setHex(n,e):Xt("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=hs(t.r),this.g=hs(t.g),this.b=hs(t.b),this}copyLinearToSRGB(t){return this.r=Gr(t.r),this.g=Gr(t.g),this.b=Gr(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=yn){return _e.workingToColorSpace(Vn.copy(this),t),Math.round(pe(Vn.r*255,0,255))*65536+Math.round(pe(Vn.g*255,0,255))*256+Math.round(pe(Vn.b*255,0,255))}getHexString(t=yn){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=_e.workingColorSpace){_e.workingToColorSpace(Vn.copy(this),e);let n=Vn.r,s=Vn.g,r=Vn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),c,l,h=(a+o)/2;if(a===o)c=0,l=0;else{let u=o-a;switch(l=h<=.5?u/(o+a):u/(2-o-a),o){case n:c=(s-r)/u+(s<r?6:0);break;case s:c=(r-n)/u+2;break;case r:c=(n-s)/u+4;break}c/=6}return t.h=c,t.s=l,t.l=h,t}getRGB(t,e=_e.workingColorSpace){return _e.workingToColorSpace(Vn.copy(this),e),t.r=Vn.r,t.g=Vn.g,t.b=Vn.b,t}getStyle(t=yn){_e.workingToColorSpace(Vn.copy(this),t);let e=Vn.r,n=Vn.g,s=Vn.b;return t!==yn?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(Rs),this.setHSL(Rs.h+t,Rs.s+e,Rs.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(Rs),t.getHSL(Ya);let n=Wo(Rs.h,Ya.h,e),s=Wo(Rs.s,Ya.s,e),r=Wo(Rs.l,Ya.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Vn=new Zt;Zt.NAMES=Up;var Ks=class extends rn{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new qi,this.environmentIntensity=1,this.environmentRotation=new qi,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Ci=new U,os=new U,Uh=new U,as=new U,Lr=new U,Dr=new U,Md=new U,Fh=new U,Oh=new U,Bh=new U,kh=new Me,zh=new Me,Vh=new Me,Ls=class i{constructor(t=new U,e=new U,n=new U){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),Ci.subVectors(t,e),s.cross(Ci);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){Ci.subVectors(s,e),os.subVectors(n,e),Uh.subVectors(t,e);let o=Ci.dot(Ci),a=Ci.dot(os),c=Ci.dot(Uh),l=os.dot(os),h=os.dot(Uh),u=o*l-a*a;if(u===0)return r.set(0,0,0),null;let f=1/u,d=(l*c-a*h)*f,p=(o*h-a*c)*f;return r.set(1-d-p,p,d)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,as)===null?!1:as.x>=0&&as.y>=0&&as.x+as.y<=1}static getInterpolation(t,e,n,s,r,o,a,c){return this.getBarycoord(t,e,n,s,as)===null?(c.x=0,c.y=0,"z"in c&&(c.z=0),"w"in c&&(c.w=0),null):(c.setScalar(0),c.addScaledVector(r,as.x),c.addScaledVector(o,as.y),c.addScaledVector(a,as.z),c)}static getInterpolatedAttribute(t,e,n,s,r,o){return kh.setScalar(0),zh.setScalar(0),Vh.setScalar(0),kh.fromBufferAttribute(t,e),zh.fromBufferAttribute(t,n),Vh.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(kh,r.x),o.addScaledVector(zh,r.y),o.addScaledVector(Vh,r.z),o}static isFrontFacing(t,e,n,s){return Ci.subVectors(n,e),os.subVectors(t,e),Ci.cross(os).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Ci.subVectors(this.c,this.b),os.subVectors(this.a,this.b),Ci.cross(os).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;Lr.subVectors(s,n),Dr.subVectors(r,n),Fh.subVectors(t,n);let c=Lr.dot(Fh),l=Dr.dot(Fh);if(c<=0&&l<=0)return e.copy(n);Oh.subVectors(t,s);let h=Lr.dot(Oh),u=Dr.dot(Oh);if(h>=0&&u<=h)return e.copy(s);let f=c*u-h*l;if(f<=0&&c>=0&&h<=0&&c-h>0)return o=c/(c-h),e.copy(n).addScaledVector(Lr,o);Bh.subVectors(t,r);let d=Lr.dot(Bh),p=Dr.dot(Bh);if(p>=0&&d<=p)return e.copy(r);let y=d*l-c*p;if(y<=0&&l>=0&&p<=0)return a=l/(l-p),e.copy(n).addScaledVector(Dr,a);let m=h*p-d*u;if(m<=0&&u-h>=0&&d-p>=0)return Md.subVectors(r,s),a=(u-h)/(u-h+(d-p)),e.copy(s).addScaledVector(Md,a);let g=1/(m+y+f);return o=y*g,a=f*g,e.copy(n).addScaledVector(Lr,o).addScaledVector(Dr,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},Li=class{constructor(t=new U(1/0,1/0,1/0),e=new U(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(Pi.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(Pi.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=Pi.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Pi):Pi.fromBufferAttribute(r,o),Pi.applyMatrix4(t.matrixWorld),this.expandByPoint(Pi);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),Za.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),Za.copy(n.boundingBox)),Za.applyMatrix4(t.matrixWorld),this.union(Za)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Pi),Pi.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Uo),$a.subVectors(this.max,Uo),Nr.subVectors(t.a,Uo),Ur.subVectors(t.b,Uo),Fr.subVectors(t.c,Uo),Cs.subVectors(Ur,Nr),Ps.subVectors(Fr,Ur),Ys.subVectors(Nr,Fr);let e=[0,-Cs.z,Cs.y,0,-Ps.z,Ps.y,0,-Ys.z,Ys.y,Cs.z,0,-Cs.x,Ps.z,0,-Ps.x,Ys.z,0,-Ys.x,-Cs.y,Cs.x,0,-Ps.y,Ps.x,0,-Ys.y,Ys.x,0];return!Gh(e,Nr,Ur,Fr,$a)||(e=[1,0,0,0,1,0,0,0,1],!Gh(e,Nr,Ur,Fr,$a))?!1:(Ja.crossVectors(Cs,Ps),e=[Ja.x,Ja.y,Ja.z],Gh(e,Nr,Ur,Fr,$a))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Pi).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Pi).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(ls[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),ls[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),ls[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),ls[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),ls[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),ls[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),ls[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),ls[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(ls),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},ls=[new U,new U,new U,new U,new U,new U,new U,new U],Pi=new U,Za=new Li,Nr=new U,Ur=new U,Fr=new U,Cs=new U,Ps=new U,Ys=new U,Uo=new U,$a=new U,Ja=new U,Zs=new U;function Gh(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){Zs.fromArray(i,r);let a=s.x*Math.abs(Zs.x)+s.y*Math.abs(Zs.y)+s.z*Math.abs(Zs.z),c=t.dot(Zs),l=e.dot(Zs),h=n.dot(Zs);if(Math.max(-Math.max(c,l,h),Math.min(c,l,h))>a)return!1}return!0}var dn=new U,Ka=new qt,d_=0,Se=class extends Ii{constructor(t,e,n=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:d_++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=Rp,this.updateRanges=[],this.gpuType=hi,this.version=0,this._normalizationScale=t!==void 0?Nu(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)Ka.fromBufferAttribute(this,e),Ka.applyMatrix3(t),this.setXY(e,Ka.x,Ka.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)dn.fromBufferAttribute(this,e),dn.applyMatrix3(t),this.setXYZ(e,dn.x,dn.y,dn.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)dn.fromBufferAttribute(this,e),dn.applyMatrix4(t),this.setXYZ(e,dn.x,dn.y,dn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)dn.fromBufferAttribute(this,e),dn.applyNormalMatrix(t),this.setXYZ(e,dn.x,dn.y,dn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)dn.fromBufferAttribute(this,e),dn.transformDirection(t),this.setXYZ(e,dn.x,dn.y,dn.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):Dp(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):Np(t,this.array)}};var Jo=class extends Se{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var Ko=class extends Se{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var tn=class extends Se{constructor(t,e,n){super(new Float32Array(t),e,n)}},p_=new Li,Fo=new U,Hh=new U,vi=class{constructor(t=new U,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):p_.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Fo.subVectors(t,this.center);let e=Fo.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(Fo,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Hh.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Fo.copy(t.center).add(Hh)),this.expandByPoint(Fo.copy(t.center).sub(Hh))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},m_=0,_i=new Yt,Wh=new rn,Or=new U,oi=new Li,Oo=new Li,In=new U,Ye=class i extends Ii{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:m_++}),this.uuid=lr(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(z0(t)?Ko:Jo)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new ne().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return _i.makeRotationFromQuaternion(t),this.applyMatrix4(_i),this}rotateX(t){return _i.makeRotationX(t),this.applyMatrix4(_i),this}rotateY(t){return _i.makeRotationY(t),this.applyMatrix4(_i),this}rotateZ(t){return _i.makeRotationZ(t),this.applyMatrix4(_i),this}translate(t,e,n){return _i.makeTranslation(t,e,n),this.applyMatrix4(_i),this}scale(t,e,n){return _i.makeScale(t,e,n),this.applyMatrix4(_i),this}lookAt(t){return Wh.lookAt(t),Wh.updateMatrix(),this.applyMatrix4(Wh.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Or).negate(),this.translate(Or.x,Or.y,Or.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new tn(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&Xt("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Li);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){te("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new U(-1/0,-1/0,-1/0),new U(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];oi.setFromBufferAttribute(r),this.morphTargetsRelative?(In.addVectors(this.boundingBox.min,oi.min),this.boundingBox.expandByPoint(In),In.addVectors(this.boundingBox.max,oi.max),this.boundingBox.expandByPoint(In)):(this.boundingBox.expandByPoint(oi.min),this.boundingBox.expandByPoint(oi.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&te('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new vi);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){te("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new U,1/0);return}if(t){let n=this.boundingSphere.center;if(oi.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Oo.setFromBufferAttribute(a),this.morphTargetsRelative?(In.addVectors(oi.min,Oo.min),oi.expandByPoint(In),In.addVectors(oi.max,Oo.max),oi.expandByPoint(In)):(oi.expandByPoint(Oo.min),oi.expandByPoint(Oo.max))}oi.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)In.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(In));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],c=this.morphTargetsRelative;for(let l=0,h=a.count;l<h;l++)In.fromBufferAttribute(a,l),c&&(Or.fromBufferAttribute(t,l),In.add(Or)),s=Math.max(s,n.distanceToSquared(In))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&te('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){te("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new Se(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],c=[],l=new Uint8Array(n.count);for(let B=0;B<n.count;B++)a[B]=new U,c[B]=new U;let h=new U,u=new U,f=new U,d=new qt,p=new qt,y=new qt,m=new U,g=new U;function M(B,L,D){l[B]=l[L]=l[D]=1,h.fromBufferAttribute(n,B),u.fromBufferAttribute(n,L),f.fromBufferAttribute(n,D),d.fromBufferAttribute(r,B),p.fromBufferAttribute(r,L),y.fromBufferAttribute(r,D),u.sub(h),f.sub(h),p.sub(d),y.sub(d);let k=1/(p.x*y.y-y.x*p.y);isFinite(k)&&(m.copy(u).multiplyScalar(y.y).addScaledVector(f,-p.y).multiplyScalar(k),g.copy(f).multiplyScalar(p.x).addScaledVector(u,-y.x).multiplyScalar(k),a[B].add(m),a[L].add(m),a[D].add(m),c[B].add(g),c[L].add(g),c[D].add(g))}let A=this.groups;A.length===0&&(A=[{start:0,count:t.count}]);for(let B=0,L=A.length;B<L;++B){let D=A[B],k=D.start,V=D.count;for(let I=k,G=k+V;I<G;I+=3)M(t.getX(I+0),t.getX(I+1),t.getX(I+2))}let v=new U,R=new U,T=new U,x=new U;function E(B){T.fromBufferAttribute(s,B),x.copy(T);let L=a[B];v.copy(L),v.sub(T.multiplyScalar(T.dot(L))).normalize(),R.crossVectors(x,L);let k=R.dot(c[B])<0?-1:1;o.setXYZW(B,v.x,v.y,v.z,k)}for(let B=0,L=n.count;B<L;++B)l[B]&&E(B);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==e.count)n=new Se(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let f=0,d=n.count;f<d;f++)n.setXYZ(f,0,0,0);let s=new U,r=new U,o=new U,a=new U,c=new U,l=new U,h=new U,u=new U;if(t)for(let f=0,d=t.count;f<d;f+=3){let p=t.getX(f+0),y=t.getX(f+1),m=t.getX(f+2);s.fromBufferAttribute(e,p),r.fromBufferAttribute(e,y),o.fromBufferAttribute(e,m),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,p),c.fromBufferAttribute(n,y),l.fromBufferAttribute(n,m),a.add(h),c.add(h),l.add(h),n.setXYZ(p,a.x,a.y,a.z),n.setXYZ(y,c.x,c.y,c.z),n.setXYZ(m,l.x,l.y,l.z)}else for(let f=0,d=e.count;f<d;f+=3)s.fromBufferAttribute(e,f+0),r.fromBufferAttribute(e,f+1),o.fromBufferAttribute(e,f+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(f+0,h.x,h.y,h.z),n.setXYZ(f+1,h.x,h.y,h.z),n.setXYZ(f+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)In.fromBufferAttribute(t,e),In.normalize(),t.setXYZ(e,In.x,In.y,In.z)}toNonIndexed(){function t(a,c){let l=a.array,h=a.itemSize,u=a.normalized,f=new l.constructor(c.length*h),d=0,p=0;for(let y=0,m=c.length;y<m;y++){a.isInterleavedBufferAttribute?d=c[y]*a.data.stride+a.offset:d=c[y]*h;for(let g=0;g<h;g++)f[p++]=l[d++]}return new Se(f,h,u)}if(this.index===null)return Xt("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let c=s[a],l=t(c,n);e.setAttribute(a,l)}let r=this.morphAttributes;for(let a in r){let c=[],l=r[a];for(let h=0,u=l.length;h<u;h++){let f=l[h],d=t(f,n);c.push(d)}e.morphAttributes[a]=c}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,c=o.length;a<c;a++){let l=o[a];e.addGroup(l.start,l.count,l.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let c=this.parameters;for(let l in c)c[l]!==void 0&&(t[l]=c[l]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let c in n){let l=n[c];t.data.attributes[c]=l.toJSON(t.data)}let s={},r=!1;for(let c in this.morphAttributes){let l=this.morphAttributes[c],h=[];for(let u=0,f=l.length;u<f;u++){let d=l[u];h.push(d.toJSON(t.data))}h.length>0&&(s[c]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone());let s=t.attributes;for(let l in s){let h=s[l];this.setAttribute(l,h.clone(e))}let r=t.morphAttributes;for(let l in r){let h=[],u=r[l];for(let f=0,d=u.length;f<d;f++)h.push(u[f].clone(e));this.morphAttributes[l]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let l=0,h=o.length;l<h;l++){let u=o[l];this.addGroup(u.start,u.count,u.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let c=t.boundingSphere;return c!==null&&(this.boundingSphere=c.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}};var Xh=new U,g_=new U,__=new ne,$n=class{constructor(t=new U(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=Xh.subVectors(n,e).cross(g_.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,n=!0){let s=t.delta(Xh),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||__.getNormalMatrix(t),s=this.coplanarPoint(Xh).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},x_=0,Si=class extends Ii{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:x_++}),this.uuid=lr(),this.name="",this.type="Material",this.blending=oo,this.side=Mi,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=du,this.blendDst=pu,this.blendEquation=rr,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Zt(0,0,0),this.blendAlpha=0,this.depthFunc=Wr,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=Mp,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=xl,this.stencilZFail=xl,this.stencilZPass=xl,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){Xt(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Xt(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let c=r[a];delete c.metadata,o.push(c)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new Zt().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(n=>new $n().fromJSON(n))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let n=t.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new qt().fromArray(n)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new qt().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}};var cs=new U,qh=new U,ja=new U,Qa=new U,Yi=class{constructor(t=new U,e=new U(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,cs)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=cs.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(cs.copy(this.origin).addScaledVector(this.direction,e),cs.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){qh.copy(t).add(e).multiplyScalar(.5),ja.copy(e).sub(t).normalize(),Qa.copy(this.origin).sub(qh);let r=t.distanceTo(e)*.5,o=-this.direction.dot(ja),a=Qa.dot(this.direction),c=-Qa.dot(ja),l=Qa.lengthSq(),h=Math.abs(1-o*o),u,f,d,p;if(h>0)if(u=o*c-a,f=o*a-c,p=r*h,u>=0)if(f>=-p)if(f<=p){let y=1/h;u*=y,f*=y,d=u*(u+o*f+2*a)+f*(o*u+f+2*c)+l}else f=r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*c)+l;else f=-r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*c)+l;else f<=-p?(u=Math.max(0,-(-o*r+a)),f=u>0?-r:Math.min(Math.max(-r,-c),r),d=-u*u+f*(f+2*c)+l):f<=p?(u=0,f=Math.min(Math.max(-r,-c),r),d=f*(f+2*c)+l):(u=Math.max(0,-(o*r+a)),f=u>0?r:Math.min(Math.max(-r,-c),r),d=-u*u+f*(f+2*c)+l);else f=o>0?-r:r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*c)+l;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(qh).addScaledVector(ja,f),d}intersectSphere(t,e){if(t.radius<0)return null;cs.subVectors(t.center,this.origin);let n=cs.dot(this.direction),s=cs.dot(cs)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,c=n+o;return c<0?null:a<0?this.at(c,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,c,l=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,f=this.origin;return l>=0?(n=(t.min.x-f.x)*l,s=(t.max.x-f.x)*l):(n=(t.max.x-f.x)*l,s=(t.min.x-f.x)*l),h>=0?(r=(t.min.y-f.y)*h,o=(t.max.y-f.y)*h):(r=(t.max.y-f.y)*h,o=(t.min.y-f.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(t.min.z-f.z)*u,c=(t.max.z-f.z)*u):(a=(t.max.z-f.z)*u,c=(t.min.z-f.z)*u),n>c||a>s)||((a>n||n!==n)&&(n=a),(c<s||s!==s)&&(s=c),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,cs)!==null}intersectTriangle(t,e,n,s,r){let o=this.origin,a=this.direction,c=a.x,l=a.y,h=a.z,u=t.x-o.x,f=t.y-o.y,d=t.z-o.z,p=e.x-o.x,y=e.y-o.y,m=e.z-o.z,g=n.x-o.x,M=n.y-o.y,A=n.z-o.z,v=Math.abs(c),R=Math.abs(l),T=Math.abs(h),x,E,B,L,D,k,V,I,G,Y,H,at;if(v>=R&&v>=T?(B=c,k=u,G=p,at=g,c>=0?(x=l,E=h,L=f,D=d,V=y,I=m,Y=M,H=A):(x=h,E=l,L=d,D=f,V=m,I=y,Y=A,H=M)):R>=T?(B=l,k=f,G=y,at=M,l>=0?(x=h,E=c,L=d,D=u,V=m,I=p,Y=A,H=g):(x=c,E=h,L=u,D=d,V=p,I=m,Y=g,H=A)):(B=h,k=d,G=m,at=A,h>=0?(x=c,E=l,L=u,D=f,V=p,I=y,Y=g,H=M):(x=l,E=c,L=f,D=u,V=y,I=p,Y=M,H=g)),B===0)return null;let $=x/B,j=E/B,nt=1/B,ut=L-$*k,ht=D-j*k,Q=V-$*G,pt=I-j*G,xt=Y-$*at,At=H-j*at,Mt=xt*pt-At*Q,Ht=ut*At-ht*xt,re=Q*ht-pt*ut;if(s){if(Mt<0||Ht<0||re<0)return null}else if((Mt<0||Ht<0||re<0)&&(Mt>0||Ht>0||re>0))return null;let Vt=Mt+Ht+re;if(Vt===0)return null;let ue=nt*(Mt*k+Ht*G+re*at);return(Vt>0?ue<0:ue>0)?null:this.at(ue/Vt,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},jr=class extends Si{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Zt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new qi,this.combine=Yl,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},bd=new Yt,$s=new Yi,tl=new vi,wd=new U,el=new U,nl=new U,il=new U,Yh=new U,sl=new U,Ed=new U,rl=new U,ve=class extends rn{constructor(t=new Ye,e=new jr){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){sl.set(0,0,0);for(let c=0,l=r.length;c<l;c++){let h=a[c],u=r[c];h!==0&&(Yh.fromBufferAttribute(u,t),o?sl.addScaledVector(Yh,h):sl.addScaledVector(Yh.sub(e),h))}e.add(sl)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),tl.copy(n.boundingSphere),tl.applyMatrix4(r),$s.copy(t.ray).recast(t.near),!(tl.containsPoint($s.origin)===!1&&($s.intersectSphere(tl,wd)===null||$s.origin.distanceToSquared(wd)>(t.far-t.near)**2))&&(bd.copy(r).invert(),$s.copy(t.ray).applyMatrix4(bd),!(n.boundingBox!==null&&$s.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,$s)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,c=r.attributes.position,l=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,f=r.groups,d=r.drawRange;if(a!==null)if(Array.isArray(o))for(let p=0,y=f.length;p<y;p++){let m=f[p],g=o[m.materialIndex],M=Math.max(m.start,d.start),A=Math.min(a.count,Math.min(m.start+m.count,d.start+d.count));for(let v=M,R=A;v<R;v+=3){let T=a.getX(v),x=a.getX(v+1),E=a.getX(v+2);s=ol(this,g,t,n,l,h,u,T,x,E),s&&(s.faceIndex=Math.floor(v/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let p=Math.max(0,d.start),y=Math.min(a.count,d.start+d.count);for(let m=p,g=y;m<g;m+=3){let M=a.getX(m),A=a.getX(m+1),v=a.getX(m+2);s=ol(this,o,t,n,l,h,u,M,A,v),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(c!==void 0)if(Array.isArray(o))for(let p=0,y=f.length;p<y;p++){let m=f[p],g=o[m.materialIndex],M=Math.max(m.start,d.start),A=Math.min(c.count,Math.min(m.start+m.count,d.start+d.count));for(let v=M,R=A;v<R;v+=3){let T=v,x=v+1,E=v+2;s=ol(this,g,t,n,l,h,u,T,x,E),s&&(s.faceIndex=Math.floor(v/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let p=Math.max(0,d.start),y=Math.min(c.count,d.start+d.count);for(let m=p,g=y;m<g;m+=3){let M=m,A=m+1,v=m+2;s=ol(this,o,t,n,l,h,u,M,A,v),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}};function y_(i,t,e,n,s,r,o,a){let c;if(t.side===Bn?c=n.intersectTriangle(o,r,s,!0,a):c=n.intersectTriangle(s,r,o,t.side===Mi,a),c===null)return null;rl.copy(a),rl.applyMatrix4(i.matrixWorld);let l=e.ray.origin.distanceTo(rl);return l<e.near||l>e.far?null:{distance:l,point:rl.clone(),object:i}}function ol(i,t,e,n,s,r,o,a,c,l){i.getVertexPosition(a,el),i.getVertexPosition(c,nl),i.getVertexPosition(l,il);let h=y_(i,t,e,n,el,nl,il,Ed);if(h){let u=new U;Ls.getBarycoord(Ed,el,nl,il,u),s&&(h.uv=Ls.getInterpolatedAttribute(s,a,c,l,u,new qt)),r&&(h.uv1=Ls.getInterpolatedAttribute(r,a,c,l,u,new qt)),o&&(h.normal=Ls.getInterpolatedAttribute(o,a,c,l,u,new U),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let f={a,b:c,c:l,normal:new U,materialIndex:0};Ls.getNormal(el,nl,il,f.normal),h.face=f,h.barycoord=u}return h}var Bo=new Me,Td=new Me,Ad=new Me,v_=new Me,Rd=new Yt,al=new U,Zh=new vi,Cd=new Yt,$h=new Yi,jo=class extends ve{constructor(t,e){super(t,e),this.isSkinnedMesh=!0,this.type="SkinnedMesh",this.bindMode=jh,this.bindMatrix=new Yt,this.bindMatrixInverse=new Yt,this.boundingBox=null,this.boundingSphere=null}computeBoundingBox(){let t=this.geometry;this.boundingBox===null&&(this.boundingBox=new Li),this.boundingBox.makeEmpty();let e=t.getAttribute("position");for(let n=0;n<e.count;n++)this.getVertexPosition(n,al),this.boundingBox.expandByPoint(al)}computeBoundingSphere(){let t=this.geometry;this.boundingSphere===null&&(this.boundingSphere=new vi),this.boundingSphere.makeEmpty();let e=t.getAttribute("position");for(let n=0;n<e.count;n++)this.getVertexPosition(n,al),this.boundingSphere.expandByPoint(al)}copy(t,e){return super.copy(t,e),this.bindMode=t.bindMode,this.bindMatrix.copy(t.bindMatrix),this.bindMatrixInverse.copy(t.bindMatrixInverse),this.skeleton=t.skeleton,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}raycast(t,e){let n=this.material,s=this.matrixWorld;n!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Zh.copy(this.boundingSphere),Zh.applyMatrix4(s),t.ray.intersectsSphere(Zh)!==!1&&(Cd.copy(s).invert(),$h.copy(t.ray).applyMatrix4(Cd),!(this.boundingBox!==null&&$h.intersectsBox(this.boundingBox)===!1)&&this._computeIntersections(t,e,$h)))}getVertexPosition(t,e){return super.getVertexPosition(t,e),this.applyBoneTransform(t,e),e}bind(t,e){this.skeleton=t,e===void 0&&(this.updateMatrixWorld(!0),this.skeleton.calculateInverses(),e=this.matrixWorld),this.bindMatrix.copy(e),this.bindMatrixInverse.copy(e).invert()}pose(){this.skeleton.pose()}normalizeSkinWeights(){let t=new Me,e=this.geometry.attributes.skinWeight;for(let n=0,s=e.count;n<s;n++){t.fromBufferAttribute(e,n);let r=1/t.manhattanLength();r!==1/0?t.multiplyScalar(r):t.set(1,0,0,0),e.setXYZW(n,t.x,t.y,t.z,t.w)}}updateMatrixWorld(t){super.updateMatrixWorld(t),this.bindMode===jh?this.bindMatrixInverse.copy(this.matrixWorld).invert():this.bindMode===xp?this.bindMatrixInverse.copy(this.bindMatrix).invert():Xt("SkinnedMesh: Unrecognized bindMode: "+this.bindMode)}applyBoneTransform(t,e){let n=this.skeleton,s=this.geometry;Td.fromBufferAttribute(s.attributes.skinIndex,t),Ad.fromBufferAttribute(s.attributes.skinWeight,t),e.isVector4?(Bo.copy(e),e.set(0,0,0,0)):(Bo.set(e.x,e.y,e.z,1),e.set(0,0,0)),Bo.applyMatrix4(this.bindMatrix);for(let r=0;r<4;r++){let o=Ad.getComponent(r);if(o!==0){let a=Td.getComponent(r);Rd.multiplyMatrices(n.bones[a].matrixWorld,n.boneInverses[a]),e.addScaledVector(v_.copy(Bo).applyMatrix4(Rd),o)}}return e.isVector4&&(e.w=Bo.w),e.applyMatrix4(this.bindMatrixInverse)}},Qr=class extends rn{constructor(){super(),this.isBone=!0,this.type="Bone"}},Zi=class extends Gn{constructor(t=null,e=1,n=1,s,r,o,a,c,l=Ln,h=Ln,u,f){super(null,o,a,c,l,h,s,r,u,f),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},Pd=new Yt,S_=new Yt,Qo=class i{constructor(t=[],e=[]){this.uuid=lr(),this.bones=t.slice(0),this.boneInverses=e,this.boneMatrices=null,this.previousBoneMatrices=null,this.boneTexture=null,this.previousBoneTexture=null,this.init()}init(){let t=this.bones,e=this.boneInverses;if(this.boneMatrices=new Float32Array(t.length*16),e.length===0)this.calculateInverses();else if(t.length!==e.length){Xt("Skeleton: Number of inverse bone matrices does not match amount of bones."),this.boneInverses=[];for(let n=0,s=this.bones.length;n<s;n++)this.boneInverses.push(new Yt)}}calculateInverses(){this.boneInverses.length=0;for(let t=0,e=this.bones.length;t<e;t++){let n=new Yt;this.bones[t]&&n.copy(this.bones[t].matrixWorld).invert(),this.boneInverses.push(n)}}pose(){for(let t=0,e=this.bones.length;t<e;t++){let n=this.bones[t];n&&n.matrixWorld.copy(this.boneInverses[t]).invert()}for(let t=0,e=this.bones.length;t<e;t++){let n=this.bones[t];n&&(n.parent&&n.parent.isBone?(n.matrix.copy(n.parent.matrixWorld).invert(),n.matrix.multiply(n.matrixWorld)):n.matrix.copy(n.matrixWorld),n.matrix.decompose(n.position,n.quaternion,n.scale))}}update(){let t=this.bones,e=this.boneInverses,n=this.boneMatrices,s=this.boneTexture;for(let r=0,o=t.length;r<o;r++){let a=t[r]?t[r].matrixWorld:S_;Pd.multiplyMatrices(a,e[r]),Pd.toArray(n,r*16)}s!==null&&(s.needsUpdate=!0)}clone(){return new i(this.bones,this.boneInverses)}computeBoneTexture(){let t=Math.sqrt(this.bones.length*4);t=Math.ceil(t/4)*4,t=Math.max(t,4);let e=new Float32Array(t*t*4);e.set(this.boneMatrices);let n=new Zi(e,t,t,Qn,hi);return n.needsUpdate=!0,this.boneMatrices=e,this.boneTexture=n,this}getBoneByName(t){for(let e=0,n=this.bones.length;e<n;e++){let s=this.bones[e];if(s.name===t)return s}}dispose(){this.boneTexture!==null&&(this.boneTexture.dispose(),this.boneTexture=null),this.previousBoneTexture!==null&&(this.previousBoneTexture.dispose(),this.previousBoneTexture=null)}fromJSON(t,e){this.uuid=t.uuid;for(let n=0,s=t.bones.length;n<s;n++){let r=t.bones[n],o=e[r];o===void 0&&(Xt("Skeleton: No bone found with UUID:",r),o=new Qr),this.bones.push(o),this.boneInverses.push(new Yt().fromArray(t.boneInverses[n]))}return this.init(),this}toJSON(){let t={metadata:{version:4.7,type:"Skeleton",generator:"Skeleton.toJSON"},bones:[],boneInverses:[]};t.uuid=this.uuid;let e=this.bones,n=this.boneInverses;for(let s=0,r=e.length;s<r;s++){let o=e[s];t.bones.push(o.uuid);let a=n[s];t.boneInverses.push(a.toArray())}return t}},js=class extends Se{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},Br=new Yt,Id=new Yt,ll=[],Ld=new Li,M_=new Yt,ko=new ve,zo=new vi,Qs=class extends ve{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new js(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,M_)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new Li),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,Br),Ld.copy(t.boundingBox).applyMatrix4(Br),this.boundingBox.union(Ld)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new vi),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,Br),zo.copy(t.boundingSphere).applyMatrix4(Br),this.boundingSphere.union(zo)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),this.morphTexture=t.morphTexture!==null?t.morphTexture.clone():null,this.instanceColor=t.instanceColor!==null?t.instanceColor.clone():null,this.count=t.count,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}getColorAt(t,e){return this.instanceColor===null?e.setRGB(1,1,1):e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){return e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){let n=this.matrixWorld,s=this.count;if(ko.geometry=this.geometry,ko.material=this.material,ko.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),zo.copy(this.boundingSphere),zo.applyMatrix4(n),t.ray.intersectsSphere(zo)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,Br),Id.multiplyMatrices(n,Br),ko.matrixWorld=Id,ko.raycast(t,ll);for(let o=0,a=ll.length;o<a;o++){let c=ll[o];c.instanceId=r,c.object=this,e.push(c)}ll.length=0}}setColorAt(t,e){return this.instanceColor===null&&(this.instanceColor=new js(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3),this}setMatrixAt(t,e){return e.toArray(this.instanceMatrix.array,t*16),this}setMorphAt(t,e){let n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new Zi(new Float32Array(s*this.count),s,this.count,tc,hi));let r=this.morphTexture.source.data.data,o=0;for(let l=0;l<n.length;l++)o+=n[l];let a=this.geometry.morphTargetsRelative?1:1-o,c=s*t;return r[c]=a,r.set(n,c+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},Js=new vi,b_=new qt(.5,.5),cl=new U,Ds=class{constructor(t=new $n,e=new $n,n=new $n,s=new $n,r=new $n,o=new $n){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=yi,n=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],c=r[2],l=r[3],h=r[4],u=r[5],f=r[6],d=r[7],p=r[8],y=r[9],m=r[10],g=r[11],M=r[12],A=r[13],v=r[14],R=r[15];if(s[0].setComponents(l-o,d-h,g-p,R-M).normalize(),s[1].setComponents(l+o,d+h,g+p,R+M).normalize(),s[2].setComponents(l+a,d+u,g+y,R+A).normalize(),s[3].setComponents(l-a,d-u,g-y,R-A).normalize(),n)s[4].setComponents(c,f,m,v).normalize(),s[5].setComponents(l-c,d-f,g-m,R-v).normalize();else if(s[4].setComponents(l-c,d-f,g-m,R-v).normalize(),e===yi)s[5].setComponents(l+c,d+f,g+m,R+v).normalize();else if(e===qr)s[5].setComponents(c,f,m,v).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),Js.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),Js.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(Js)}intersectsSprite(t){Js.center.set(0,0,0);let e=b_.distanceTo(t.center);return Js.radius=.7071067811865476+e,Js.applyMatrix4(t.matrixWorld),this.intersectsSphere(Js)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(cl.x=s.normal.x>0?t.max.x:t.min.x,cl.y=s.normal.y>0?t.max.y:t.min.y,cl.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(cl)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Dd=new Yt,Pl=class i{constructor(){this.coordinateSystem=yi,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,n=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];Dd.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Ds),n[s].setFromProjectionMatrix(Dd,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,n=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new Ds),e[s].copy(n[s]);return this._count=t._count,this}clone(){return new i().copy(this)}};var Ns=class extends Si{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Zt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},Il=new U,Ll=new U,Nd=new Yt,Vo=new Yi,hl=new vi,Jh=new U,Ud=new U,to=class extends rn{constructor(t=new Ye,e=new Ns){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Il.fromBufferAttribute(e,s-1),Ll.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Il.distanceTo(Ll);t.setAttribute("lineDistance",new tn(n,1))}else Xt("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),hl.copy(n.boundingSphere),hl.applyMatrix4(s),hl.radius+=r,t.ray.intersectsSphere(hl)===!1)return;Nd.copy(s).invert(),Vo.copy(t.ray).applyMatrix4(Nd);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),c=a*a,l=this.isLineSegments?2:1,h=n.index,f=n.attributes.position;if(h!==null){let d=Math.max(0,o.start),p=Math.min(h.count,o.start+o.count);for(let y=d,m=p-1;y<m;y+=l){let g=h.getX(y),M=h.getX(y+1),A=ul(this,t,Vo,c,g,M,y);A&&e.push(A)}if(this.isLineLoop){let y=h.getX(p-1),m=h.getX(d),g=ul(this,t,Vo,c,y,m,p-1);g&&e.push(g)}}else{let d=Math.max(0,o.start),p=Math.min(f.count,o.start+o.count);for(let y=d,m=p-1;y<m;y+=l){let g=ul(this,t,Vo,c,y,y+1,y);g&&e.push(g)}if(this.isLineLoop){let y=ul(this,t,Vo,c,p-1,d,p-1);y&&e.push(y)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function ul(i,t,e,n,s,r,o){let a=i.geometry.attributes.position;if(Il.fromBufferAttribute(a,s),Ll.fromBufferAttribute(a,r),e.distanceSqToSegment(Il,Ll,Jh,Ud)>n)return;Jh.applyMatrix4(i.matrixWorld);let l=t.ray.origin.distanceTo(Jh);if(!(l<t.near||l>t.far))return{distance:l,point:Ud.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var Fd=new U,Od=new U,tr=class extends to{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)Fd.fromBufferAttribute(e,s),Od.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+Fd.distanceTo(Od);t.setAttribute("lineDistance",new tn(n,1))}else Xt("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var eo=class extends Si{constructor(t){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new Zt(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.alphaMap=t.alphaMap,this.size=t.size,this.sizeAttenuation=t.sizeAttenuation,this.fog=t.fog,this}},Bd=new Yt,iu=new Yi,fl=new vi,dl=new U,er=class extends rn{constructor(t=new Ye,e=new eo){super(),this.isPoints=!0,this.type="Points",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),fl.copy(n.boundingSphere),fl.applyMatrix4(s),fl.radius+=r,t.ray.intersectsSphere(fl)===!1)return;Bd.copy(s).invert(),iu.copy(t.ray).applyMatrix4(Bd);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),c=a*a,l=n.index,u=n.attributes.position;if(l!==null){let f=Math.max(0,o.start),d=Math.min(l.count,o.start+o.count);for(let p=f,y=d;p<y;p++){let m=l.getX(p);dl.fromBufferAttribute(u,m),kd(dl,m,c,s,t,e,this)}}else{let f=Math.max(0,o.start),d=Math.min(u.count,o.start+o.count);for(let p=f,y=d;p<y;p++)dl.fromBufferAttribute(u,p),kd(dl,p,c,s,t,e,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function kd(i,t,e,n,s,r,o){let a=iu.distanceSqToPoint(i);if(a<e){let c=new U;iu.closestPointToPoint(i,c),c.applyMatrix4(n);let l=s.ray.origin.distanceTo(c);if(l<s.near||l>s.far)return;r.push({distance:l,distanceToRay:Math.sqrt(a),point:c,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var ta=class extends Gn{constructor(t=[],e=or,n,s,r,o,a,c,l,h){super(t,e,n,s,r,o,a,c,l,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}};var fs=class extends Gn{constructor(t,e,n=ci,s,r,o,a=Ln,c=Ln,l,h=us,u=1){if(h!==us&&h!==gs)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let f={width:t,height:e,depth:u};super(f,s,r,o,a,c,h,n,l),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new $r(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},ea=class extends fs{constructor(t,e=ci,n=or,s,r,o=Ln,a=Ln,c,l=us){let h={width:t,height:t,depth:1},u=[h,h,h,h,h,h];super(t,t,e,n,s,r,o,a,c,l),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},na=class extends Gn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},Us=class i extends Ye{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let c=[],l=[],h=[],u=[],f=0,d=0;p("z","y","x",-1,-1,n,e,t,o,r,0),p("z","y","x",1,-1,n,e,-t,o,r,1),p("x","z","y",1,1,t,n,e,s,o,2),p("x","z","y",1,-1,t,n,-e,s,o,3),p("x","y","z",1,-1,t,e,n,s,r,4),p("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(c),this.setAttribute("position",new tn(l,3)),this.setAttribute("normal",new tn(h,3)),this.setAttribute("uv",new tn(u,2));function p(y,m,g,M,A,v,R,T,x,E,B){let L=v/x,D=R/E,k=v/2,V=R/2,I=T/2,G=x+1,Y=E+1,H=0,at=0,$=new U;for(let j=0;j<Y;j++){let nt=j*D-V;for(let ut=0;ut<G;ut++){let ht=ut*L-k;$[y]=ht*M,$[m]=nt*A,$[g]=I,l.push($.x,$.y,$.z),$[y]=0,$[m]=0,$[g]=T>0?1:-1,h.push($.x,$.y,$.z),u.push(ut/x),u.push(1-j/E),H+=1}}for(let j=0;j<E;j++)for(let nt=0;nt<x;nt++){let ut=f+nt+G*j,ht=f+nt+G*(j+1),Q=f+(nt+1)+G*(j+1),pt=f+(nt+1)+G*j;c.push(ut,ht,pt),c.push(ht,Q,pt),at+=6}a.addGroup(d,at,B),d+=at,f+=H}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}};var ia=class i extends Ye{constructor(t=1,e=32,n=0,s=Math.PI*2){super(),this.type="CircleGeometry",this.parameters={radius:t,segments:e,thetaStart:n,thetaLength:s},e=Math.max(3,e);let r=[],o=[],a=[],c=[],l=new U,h=new qt;o.push(0,0,0),a.push(0,0,1),c.push(.5,.5);for(let u=0,f=3;u<=e;u++,f+=3){let d=n+u/e*s;l.x=t*Math.cos(d),l.y=t*Math.sin(d),o.push(l.x,l.y,l.z),a.push(0,0,1),h.x=(o[f]/t+1)/2,h.y=(o[f+1]/t+1)/2,c.push(h.x,h.y)}for(let u=1;u<=e;u++)r.push(u,u+1,0);this.setIndex(r),this.setAttribute("position",new tn(o,3)),this.setAttribute("normal",new tn(a,3)),this.setAttribute("uv",new tn(c,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.segments,t.thetaStart,t.thetaLength)}},no=class i extends Ye{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,c=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:c};let l=this;s=Math.floor(s),r=Math.floor(r);let h=[],u=[],f=[],d=[],p=0,y=[],m=n/2,g=0;M(),o===!1&&(t>0&&A(!0),e>0&&A(!1)),this.setIndex(h),this.setAttribute("position",new tn(u,3)),this.setAttribute("normal",new tn(f,3)),this.setAttribute("uv",new tn(d,2));function M(){let v=new U,R=new U,T=0,x=(e-t)/n;for(let E=0;E<=r;E++){let B=[],L=E/r,D=L*(e-t)+t;for(let k=0;k<=s;k++){let V=k/s,I=V*c+a,G=Math.sin(I),Y=Math.cos(I);R.x=D*G,R.y=-L*n+m,R.z=D*Y,u.push(R.x,R.y,R.z),v.set(G,x,Y).normalize(),f.push(v.x,v.y,v.z),d.push(V,1-L),B.push(p++)}y.push(B)}for(let E=0;E<s;E++)for(let B=0;B<r;B++){let L=y[B][E],D=y[B+1][E],k=y[B+1][E+1],V=y[B][E+1];(t>0||B!==0)&&(h.push(L,D,V),T+=3),(e>0||B!==r-1)&&(h.push(D,k,V),T+=3)}l.addGroup(g,T,0),g+=T}function A(v){let R=p,T=new qt,x=new U,E=0,B=v===!0?t:e,L=v===!0?1:-1;for(let k=1;k<=s;k++)u.push(0,m*L,0),f.push(0,L,0),d.push(.5,.5),p++;let D=p;for(let k=0;k<=s;k++){let I=k/s*c+a,G=Math.cos(I),Y=Math.sin(I);x.x=B*Y,x.y=m*L,x.z=B*G,u.push(x.x,x.y,x.z),f.push(0,L,0),T.x=G*.5+.5,T.y=Y*.5*L+.5,d.push(T.x,T.y),p++}for(let k=0;k<s;k++){let V=R+k,I=D+k;v===!0?h.push(I,I+1,V):h.push(I+1,I,V),E+=3}l.addGroup(g,E,v===!0?1:2),g+=E}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},sa=class i extends no{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new i(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}};var ds=class i extends Ye{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),c=Math.floor(s),l=a+1,h=c+1,u=t/a,f=e/c,d=[],p=[],y=[],m=[];for(let g=0;g<h;g++){let M=g*f-o;for(let A=0;A<l;A++){let v=A*u-r;p.push(v,-M,0),y.push(0,0,1),m.push(A/a),m.push(1-g/c)}}for(let g=0;g<c;g++)for(let M=0;M<a;M++){let A=M+l*g,v=M+l*(g+1),R=M+1+l*(g+1),T=M+1+l*g;d.push(A,v,T),d.push(v,R,T)}this.setIndex(d),this.setAttribute("position",new tn(p,3)),this.setAttribute("normal",new tn(y,3)),this.setAttribute("uv",new tn(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}};var ra=class extends Si{constructor(t){super(),this.isShadowMaterial=!0,this.type="ShadowMaterial",this.color=new Zt(0),this.transparent=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.fog=t.fog,this}};function cr(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];if(zd(s))s.isRenderTargetTexture?(Xt("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone();else if(Array.isArray(s))if(zd(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][n]=r}else t[e][n]=s.slice();else t[e][n]=s}}return t}function Hn(i){let t={};for(let e=0;e<i.length;e++){let n=cr(i[e]);for(let s in n)t[s]=n[s]}return t}function zd(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function w_(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Fu(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:_e.workingColorSpace}var Fp={clone:cr,merge:Hn},E_=`void main() {
gl_Position = projectionMatrix * modelViewMatrix * vec4(position,1.0);
}`,T_=`void main() {
gl_FragColor = vec4(1.0,0.0,0.0,1.0);
}`,mn=class extends Si{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=E_,this.fragmentShader=T_,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=cr(t.uniforms),this.uniformsGroups=w_(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let n in t.uniforms){let s=t.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=e[s.value]||null;break;case"c":this.uniforms[n].value=new Zt().setHex(s.value);break;case"v2":this.uniforms[n].value=new qt().fromArray(s.value);break;case"v3":this.uniforms[n].value=new U().fromArray(s.value);break;case"v4":this.uniforms[n].value=new Me().fromArray(s.value);break;case"m3":this.uniforms[n].value=new ne().fromArray(s.value);break;case"m4":this.uniforms[n].value=new Yt().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let n in t.extensions)this.extensions[n]=t.extensions[n];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},Dl=class extends mn{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}},$i=class extends Si{constructor(t){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new Zt(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Zt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=wa,this.normalScale=new qt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new qi,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.defines={STANDARD:""},this.color.copy(t.color),this.roughness=t.roughness,this.metalness=t.metalness,this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.roughnessMap=t.roughnessMap,this.metalnessMap=t.metalnessMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.envMapIntensity=t.envMapIntensity,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}};var nr=class extends Si{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new Zt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Zt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=wa,this.normalScale=new qt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new qi,this.combine=Yl,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.envMapIntensity=t.envMapIntensity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}},Nl=class extends Si{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=vp,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},Ul=class extends Si{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function kr(i,t){return!i||i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function pl(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var Fs=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let c=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===c)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},Fl=class extends Fs{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:tu,endingEnd:tu}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],c=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case eu:r=t,a=2*e-n;break;case nu:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(c===void 0)switch(this.getSettings_().endingEnd){case eu:o=t,c=2*n-e;break;case nu:o=1,c=n+s[1]-s[0];break;default:o=t-1,c=e}let l=(n-e)*.5,h=this.valueSize;this._weightPrev=l/(e-a),this._weightNext=l/(c-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=t*a,l=c-a,h=this._offsetPrev,u=this._offsetNext,f=this._weightPrev,d=this._weightNext,p=(n-e)/(s-e),y=p*p,m=y*p,g=-f*m+2*f*y-f*p,M=(1+f)*m+(-1.5-2*f)*y+(-.5+f)*p+1,A=(-1-d)*m+(1.5+d)*y+.5*p,v=d*m-d*y;for(let R=0;R!==a;++R)r[R]=g*o[h+R]+M*o[l+R]+A*o[c+R]+v*o[u+R];return r}},Ol=class extends Fs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=t*a,l=c-a,h=(n-e)/(s-e),u=1-h;for(let f=0;f!==a;++f)r[f]=o[l+f]*u+o[c+f]*h;return r}},Bl=class extends Fs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},kl=class extends Fs{interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=t*a,l=c-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let p=(n-e)/(s-e),y=1-p;for(let m=0;m!==a;++m)r[m]=o[l+m]*y+o[c+m]*p;return r}let f=a*2,d=t-1;for(let p=0;p!==a;++p){let y=o[l+p],m=o[c+p],g=d*f+p*2,M=u[g],A=u[g+1],v=t*f+p*2,R=h[v],T=h[v+1],x=R_(n,e,M,R,s);r[p]=Op(x,y,A,T,m)}return r}};function Op(i,t,e,n,s){let r=1-i;return r*r*r*t+3*r*r*i*e+3*r*i*i*n+i*i*i*s}function A_(i,t,e,n,s){let r=1-i;return 3*r*r*(e-t)+6*r*i*(n-e)+3*i*i*(s-n)}function R_(i,t,e,n,s){let r=(i-t)/(s-t);for(let o=0;o<8;o++){let a=Op(r,t,e,n,s)-i;if(Math.abs(a)<1e-10)break;let c=A_(r,t,e,n,s);if(Math.abs(c)<1e-10)break;r=Math.max(0,Math.min(1,r-a/c))}return r}var li=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=kr(e,this.TimeBufferType),this.values=kr(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:kr(t.times,Array),values:kr(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s),pl(t.settings)&&(n.settings={inTangents:kr(t.settings.inTangents,Array),outTangents:kr(t.settings.outTangents,Array)})}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new Bl(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new Ol(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new Fl(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new kl(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case Xo:e=this.InterpolantFactoryMethodDiscrete;break;case Tl:e=this.InterpolantFactoryMethodLinear;break;case _l:e=this.InterpolantFactoryMethodSmooth;break;case Qh:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return Xt("KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Xo;case this.InterpolantFactoryMethodLinear:return Tl;case this.InterpolantFactoryMethodSmooth:return _l;case this.InterpolantFactoryMethodBezier:return Qh}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t;pl(this.settings)&&(Vd(this.settings.inTangents,t),Vd(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t;pl(this.settings)&&(Gd(this.settings.inTangents,t),Gd(this.settings.outTangents,t))}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(te("KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(te("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let c=n[a];if(typeof c=="number"&&isNaN(c)){te("KeyframeTrack: Time is not a valid number.",this,a,c),t=!1;break}if(o!==null&&o>c){te("KeyframeTrack: Out of order keys.",this,a,c,o),t=!1;break}o=c}if(s!==void 0&&V0(s))for(let a=0,c=s.length;a!==c;++a){let l=s[a];if(isNaN(l)){te("KeyframeTrack: Value is not a valid number.",this,a,l),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===_l,r=t.length-1,o=1;for(let a=1;a<r;++a){let c=!1,l=t[a],h=t[a+1];if(l!==h&&(a!==1||l!==t[0]))if(s)c=!0;else{let u=a*n,f=u-n,d=u+n;for(let p=0;p!==n;++p){let y=e[u+p];if(y!==e[f+p]||y!==e[d+p]){c=!0;break}}}if(c){if(a!==o){t[o]=t[a];let u=a*n,f=o*n;for(let d=0;d!==n;++d)e[f+d]=e[u+d]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,c=o*n,l=0;l!==n;++l)e[c+l]=e[a+l];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,pl(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function Vd(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]+=t}function Gd(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]*=t}li.prototype.ValueTypeName="";li.prototype.TimeBufferType=Float32Array;li.prototype.ValueBufferType=Float32Array;li.prototype.DefaultInterpolation=Tl;var Os=class extends li{constructor(t,e,n){super(t,e,n)}};Os.prototype.ValueTypeName="bool";Os.prototype.ValueBufferType=Array;Os.prototype.DefaultInterpolation=Xo;Os.prototype.InterpolantFactoryMethodLinear=void 0;Os.prototype.InterpolantFactoryMethodSmooth=void 0;var zl=class extends li{constructor(t,e,n,s){super(t,e,n,s)}};zl.prototype.ValueTypeName="color";var Vl=class extends li{constructor(t,e,n,s){super(t,e,n,s)}};Vl.prototype.ValueTypeName="number";var Gl=class extends Fs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=(n-e)/(s-e),l=t*a;for(let h=l+a;l!==h;l+=4)On.slerpFlat(r,0,o,l-a,o,l,c);return r}},oa=class extends li{constructor(t,e,n,s){super(t,e,n,s)}InterpolantFactoryMethodLinear(t){return new Gl(this.times,this.values,this.getValueSize(),t)}};oa.prototype.ValueTypeName="quaternion";oa.prototype.InterpolantFactoryMethodSmooth=void 0;var Bs=class extends li{constructor(t,e,n){super(t,e,n)}};Bs.prototype.ValueTypeName="string";Bs.prototype.ValueBufferType=Array;Bs.prototype.DefaultInterpolation=Xo;Bs.prototype.InterpolantFactoryMethodLinear=void 0;Bs.prototype.InterpolantFactoryMethodSmooth=void 0;var Hl=class extends li{constructor(t,e,n,s){super(t,e,n,s)}};Hl.prototype.ValueTypeName="vector";var Wl=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,c,l=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),c?c(h):h},this.setURLModifier=function(h){return c=h,this},this.addHandler=function(h,u){return l.push(h,u),this},this.removeHandler=function(h){let u=l.indexOf(h);return u!==-1&&l.splice(u,2),this},this.getHandler=function(h){for(let u=0,f=l.length;u<f;u+=2){let d=l[u],p=l[u+1];if(d.global&&(d.lastIndex=0),d.test(h))return p}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},Bp=new Wl,Xl=class{constructor(t){this.manager=t!==void 0?t:Bp,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};Xl.DEFAULT_MATERIAL_NAME="__DEFAULT";var ir=class extends rn{static registerNode(t){this.prototype._lightNode=t}constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new Zt(t),this.intensity=e}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,e}},aa=class extends ir{constructor(t,e,n){super(t,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(rn.DEFAULT_UP),this.updateMatrix(),this.groundColor=new Zt(e)}copy(t,e){return super.copy(t,e),this.groundColor.copy(t.groundColor),this}toJSON(t){let e=super.toJSON(t);return e.object.groundColor=this.groundColor.getHex(),e}},Kh=new Yt,Hd=new U,Wd=new U,la=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new qt(512,512),this.mapType=jn,this.map=null,this.mapPass=null,this.matrix=new Yt,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new Ds,this._frameExtents=new qt(1,1),this._viewportCount=1,this._viewports=[new Me(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera;Hd.setFromMatrixPosition(t.matrixWorld),e.position.copy(Hd),Wd.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(Wd),e.updateMatrixWorld(),this._updateMatrix(e,this.matrix,this._frustum)}_updateMatrix(t,e,n,s){Kh.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),n.setFromProjectionMatrix(Kh,t.coordinateSystem,t.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,c=s?s.x/r.x:0,l=s?s.y/r.y:0;t.coordinateSystem===qr||t.reversedDepth?e.set(.5*o,0,0,.5*o+c,0,.5*a,0,.5*a+l,0,0,1,0,0,0,0,1):e.set(.5*o,0,0,.5*o+c,0,.5*a,0,.5*a+l,0,0,.5,.5,0,0,0,1),e.multiply(Kh)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this.mapType=t.mapType,this.biasNode=t.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return t.intensity=this.intensity,t.bias=this.bias,t.normalBias=this.normalBias,t.radius=this.radius,t.blurSamples=this.blurSamples,t.mapSize=this.mapSize.toArray(),t.mapType=this.mapType,t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}},ml=new U,gl=new On,Xi=new U,ca=class extends rn{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Yt,this.projectionMatrix=new Yt,this.projectionMatrixInverse=new Yt,this.coordinateSystem=yi,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(ml,gl,Xi),Xi.x===1&&Xi.y===1&&Xi.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(ml,gl,Xi.set(1,1,1)).invert()}updateWorldMatrix(t,e,n=!1){super.updateWorldMatrix(t,e,n),this.matrixWorld.decompose(ml,gl,Xi),Xi.x===1&&Xi.y===1&&Xi.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(ml,gl,Xi.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Is=new U,Xd=new qt,qd=new qt,Un=class extends ca{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=Zr*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Ho*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return Zr*2*Math.atan(Math.tan(Ho*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){Is.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(Is.x,Is.y).multiplyScalar(-t/Is.z),Is.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Is.x,Is.y).multiplyScalar(-t/Is.z)}getViewSize(t,e){return this.getViewBounds(t,Xd,qd),e.subVectors(qd,Xd)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Ho*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let c=o.fullWidth,l=o.fullHeight;r+=o.offsetX*s/c,e-=o.offsetY*n/l,s*=o.width/c,n*=o.height/l}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var su=class extends la{constructor(){super(new Un(90,1,.5,500)),this.isPointLightShadow=!0}},ha=class extends ir{constructor(t,e,n=0,s=2){super(t,e),this.isPointLight=!0,this.type="PointLight",this.distance=n,this.decay=s,this.shadow=new su}get power(){return this.intensity*4*Math.PI}set power(t){this.intensity=t/(4*Math.PI)}dispose(){super.dispose(),this.shadow.dispose()}copy(t,e){return super.copy(t,e),this.distance=t.distance,this.decay=t.decay,this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.distance=this.distance,e.object.decay=this.decay,e.object.shadow=this.shadow.toJSON(),e}},ua=class extends ca{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,c=s-e;if(this.view!==null&&this.view.enabled){let l=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=l*this.view.offsetX,o=r+l*this.view.width,a-=h*this.view.offsetY,c=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,c,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},ru=class extends la{constructor(){super(new ua(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},fa=class extends ir{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(rn.DEFAULT_UP),this.updateMatrix(),this.target=new rn,this.shadow=new ru}dispose(){super.dispose(),this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.shadow=this.shadow.toJSON(),e.object.target=this.target.uuid,e}},da=class extends ir{constructor(t,e){super(t,e),this.isAmbientLight=!0,this.type="AmbientLight"}};var zr=-90,Vr=1,io=class extends rn{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Un(zr,Vr,t,e);s.layers=this.layers,this.add(s);let r=new Un(zr,Vr,t,e);r.layers=this.layers,this.add(r);let o=new Un(zr,Vr,t,e);o.layers=this.layers,this.add(o);let a=new Un(zr,Vr,t,e);a.layers=this.layers,this.add(a);let c=new Un(zr,Vr,t,e);c.layers=this.layers,this.add(c);let l=new Un(zr,Vr,t,e);l.layers=this.layers,this.add(l)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,c]=e;for(let l of e)this.remove(l);if(t===yi)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),c.up.set(0,1,0),c.lookAt(0,0,-1);else if(t===qr)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),c.up.set(0,-1,0),c.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let l of e)this.add(l),l.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,c,l,h]=this.children,u=t.getRenderTarget(),f=t.getActiveCubeFace(),d=t.getActiveMipmapLevel(),p=t.xr.enabled;t.xr.enabled=!1;let y=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let m=!1;t.isWebGLRenderer===!0?m=t.state.buffers.depth.getReversed():m=t.reversedDepthBuffer,t.setRenderTarget(n,0,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(n,1,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(n,2,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(n,3,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),t.setRenderTarget(n,4,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),n.texture.mipmapsAutoUpdate=y,t.setRenderTarget(n,5,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(u,f,d),t.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},ql=class extends Un{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var Ou="\\[\\]\\.:\\/",C_=new RegExp("["+Ou+"]","g"),Bu="[^"+Ou+"]",P_="[^"+Ou.replace("\\.","")+"]",I_=/((?:WC+[\/:])*)/.source.replace("WC",Bu),L_=/(WCOD+)?/.source.replace("WCOD",P_),D_=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Bu),N_=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Bu),U_=new RegExp("^"+I_+L_+D_+N_+"$"),F_=["material","materials","bones","map"],ou=class{constructor(t,e,n){let s=n||He.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},He=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(C_,"")}static parseTrackName(t){let e=U_.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);F_.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let c=n(a.children);if(c)return c}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){Xt("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let l=e.objectIndex;switch(n){case"materials":if(!t.material){te("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){te("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){te("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===l){l=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){te("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){te("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){te("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(l!==void 0){if(t[l]===void 0){te("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[l]}}let o=t[s];if(o===void 0){let l=e.nodeName;te("PropertyBinding: Trying to update property for track: "+l+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){te("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){te("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};He.Composite=ou;He.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};He.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};He.prototype.GetterByBindingType=[He.prototype._getValue_direct,He.prototype._getValue_array,He.prototype._getValue_arrayElement,He.prototype._getValue_toArray];He.prototype.SetterByBindingTypeAndVersioning=[[He.prototype._setValue_direct,He.prototype._setValue_direct_setNeedsUpdate,He.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[He.prototype._setValue_array,He.prototype._setValue_array_setNeedsUpdate,He.prototype._setValue_array_setMatrixWorldNeedsUpdate],[He.prototype._setValue_arrayElement,He.prototype._setValue_arrayElement_setNeedsUpdate,He.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[He.prototype._setValue_fromArray,He.prototype._setValue_fromArray_setNeedsUpdate,He.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var U1=new Float32Array(1);var Yd=new Yt,pa=class{constructor(t,e,n=0,s=1/0){this.ray=new Yi(t,e),this.near=n,this.far=s,this.camera=null,this.layers=new Jr,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,e.projectionMatrix.elements[14]).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):te("Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return Yd.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Yd),this}intersectObject(t,e=!0,n=[]){return au(t,this,n,e),n.sort(Zd),n}intersectObjects(t,e=!0,n=[]){for(let s=0,r=t.length;s<r;s++)au(t[s],this,n,e);return n.sort(Zd),n}};function Zd(i,t){return i.distance-t.distance}function au(i,t,e,n){let s=!0;if(i.layers.test(t.layers)&&i.raycast(t,e)===!1&&(s=!1),s===!0&&n===!0){let r=i.children;for(let o=0,a=r.length;o<a;o++)au(r[o],t,e,!0)}}var so=class{constructor(t=1,e=0,n=0){this.radius=t,this.phi=e,this.theta=n}set(t,e,n){return this.radius=t,this.phi=e,this.theta=n,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=pe(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,n){return this.radius=Math.sqrt(t*t+e*e+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,n),this.phi=Math.acos(pe(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var lu=class{static{this.prototype.isMatrix2=!0}constructor(t,e,n,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let n=0;n<4;n++)this.elements[n]=t[n+e];return this}set(t,e,n,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=n,r[3]=s,this}};var ma=class extends Ii{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}};function ku(i,t,e,n){let s=O_(n);switch(e){case Tu:return i*t;case tc:return i*t/s.components*s.byteLength;case co:return i*t/s.components*s.byteLength;case Vs:return i*t*2/s.components*s.byteLength;case ec:return i*t*2/s.components*s.byteLength;case Au:return i*t*3/s.components*s.byteLength;case Qn:return i*t*4/s.components*s.byteLength;case nc:return i*t*4/s.components*s.byteLength;case xa:case ya:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case va:case Sa:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case sc:case oc:return Math.max(i,16)*Math.max(t,8)/4;case ic:case rc:return Math.max(i,8)*Math.max(t,8)/2;case ac:case lc:case hc:case uc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case cc:case Ma:case fc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case dc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case pc:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case mc:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case gc:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case _c:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case xc:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case yc:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case vc:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Sc:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Mc:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case bc:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case wc:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case Ec:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case Tc:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case Ac:case Rc:case Cc:return Math.ceil(i/4)*Math.ceil(t/4)*16;case Pc:case Ic:return Math.ceil(i/4)*Math.ceil(t/4)*8;case ba:case Lc:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function O_(i){switch(i){case jn:case Mu:return{byteLength:1,components:1};case lo:case bu:case Di:return{byteLength:2,components:1};case jl:case Ql:return{byteLength:2,components:4};case ci:case Kl:case hi:return{byteLength:4,components:1};case wu:case Eu:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Xt("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function om(){let i=null,t=!1,e=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&i!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function k_(i){let t=new WeakMap;function e(a,c){let l=a.array,h=a.usage,u=l.byteLength,f=i.createBuffer();i.bindBuffer(c,f),i.bufferData(c,l,h),a.onUploadCallback();let d;if(l instanceof Float32Array)d=i.FLOAT;else if(typeof Float16Array<"u"&&l instanceof Float16Array)d=i.HALF_FLOAT;else if(l instanceof Uint16Array)a.isFloat16BufferAttribute?d=i.HALF_FLOAT:d=i.UNSIGNED_SHORT;else if(l instanceof Int16Array)d=i.SHORT;else if(l instanceof Uint32Array)d=i.UNSIGNED_INT;else if(l instanceof Int32Array)d=i.INT;else if(l instanceof Int8Array)d=i.BYTE;else if(l instanceof Uint8Array)d=i.UNSIGNED_BYTE;else if(l instanceof Uint8ClampedArray)d=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+l);return{buffer:f,type:d,bytesPerElement:l.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,c,l){let h=c.array,u=c.updateRanges;if(i.bindBuffer(l,a),u.length===0)i.bufferSubData(l,0,h);else{u.sort((d,p)=>d.start-p.start);let f=0;for(let d=1;d<u.length;d++){let p=u[f],y=u[d];y.start<=p.start+p.count+1?p.count=Math.max(p.count,y.start+y.count-p.start):(++f,u[f]=y)}u.length=f+1;for(let d=0,p=u.length;d<p;d++){let y=u[d];i.bufferSubData(l,y.start*h.BYTES_PER_ELEMENT,h,y.start,y.count)}c.clearUpdateRanges()}c.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let c=t.get(a);c&&(i.deleteBuffer(c.buffer),t.delete(a))}function o(a,c){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let l=t.get(a);if(l===void 0)t.set(a,e(a,c));else if(l.version<a.version){if(l.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(l.buffer,a,c),l.version=a.version}}return{get:s,remove:r,update:o}}var z_=`#ifdef USE_ALPHAHASH
if (diffuseColor.a < getAlphaHashThreshold(vPosition)) discard;
#endif`,V_=`#ifdef USE_ALPHAHASH
const float ALPHA_HASH_SCALE = 0.05;
float hash2D(vec2 value) {
return fract(1.0e4 * sin(17.0 * value.x + 0.1 * value.y) * (0.1 + abs(sin(13.0 * value.y + value.x))));
}
float hash3D(vec3 value) {
return hash2D(vec2(hash2D(value.xy),value.z));
}
float getAlphaHashThreshold(vec3 position) {
float maxDeriv = max(
length(dFdx(position.xyz)),
length(dFdy(position.xyz))
);
float pixScale = 1.0 / (ALPHA_HASH_SCALE * maxDeriv);
vec2 pixScales = vec2(
exp2(floor(log2(pixScale))),
exp2(ceil(log2(pixScale)))
);
vec2 alpha = vec2(
hash3D(floor(pixScales.x * position.xyz)),
hash3D(floor(pixScales.y * position.xyz))
);
float lerpFactor = fract(log2(pixScale));
float x = (1.0 - lerpFactor) * alpha.x + lerpFactor * alpha.y;
float a = min(lerpFactor,1.0 - lerpFactor);
vec3 cases = vec3(
x * x / (2.0 * a * (1.0 - a)),
(x - 0.5 * a) / (1.0 - a),
1.0 - ((1.0 - x) * (1.0 - x) / (2.0 * a * (1.0 - a)))
);
float threshold = (x < (1.0 - a))
? ((x < a) ? cases.x : cases.y)
: cases.z;
return clamp(threshold ,1.0e-6,1.0);
}
#endif`,G_=`#ifdef USE_ALPHAMAP
diffuseColor.a *= texture2D(alphaMap,vAlphaMapUv).g;
#endif`,H_=`#ifdef USE_ALPHAMAP
uniform sampler2D alphaMap;
#endif`,W_=`#ifdef USE_ALPHATEST
#ifdef ALPHA_TO_COVERAGE
diffuseColor.a = smoothstep(alphaTest,alphaTest + fwidth(diffuseColor.a),diffuseColor.a);
if (diffuseColor.a == 0.0) discard;
#else
if (diffuseColor.a < alphaTest) discard;
#endif
#endif`,X_=`#ifdef USE_ALPHATEST
uniform float alphaTest;
#endif`,q_=`#ifdef USE_AOMAP
float ambientOcclusion = (texture2D(aoMap,vAoMapUv).r - 1.0) * aoMapIntensity + 1.0;
reflectedLight.indirectDiffuse *= ambientOcclusion;
#if defined( USE_CLEARCOAT ) 
clearcoatSpecularIndirect *= ambientOcclusion;
#endif
#if defined( USE_SHEEN ) 
sheenSpecularIndirect *= ambientOcclusion;
#endif
#if defined( USE_ENVMAP ) && defined( STANDARD )
float dotNV = saturate(dot(geometryNormal,geometryViewDir));
reflectedLight.indirectSpecular *= computeSpecularOcclusion(dotNV,ambientOcclusion,material.roughness);
#endif
#endif`,Y_=`#ifdef USE_AOMAP
uniform sampler2D aoMap;
uniform float aoMapIntensity;
#endif`,Z_=`#ifdef USE_BATCHING
#if ! defined( GL_ANGLE_multi_draw )
#define gl_DrawID _gl_DrawID
uniform int _gl_DrawID;
#endif
uniform highp sampler2D batchingTexture;
uniform highp usampler2D batchingIdTexture;
mat4 getBatchingMatrix(const in float i) {
int size = textureSize(batchingTexture,0).x;
int j = int(i) * 4;
int x = j % size;
int y = j / size;
vec4 v1 = texelFetch(batchingTexture,ivec2(x,y),0);
vec4 v2 = texelFetch(batchingTexture,ivec2(x + 1,y),0);
vec4 v3 = texelFetch(batchingTexture,ivec2(x + 2,y),0);
vec4 v4 = texelFetch(batchingTexture,ivec2(x + 3,y),0);
return mat4(v1,v2,v3,v4);
}
float getIndirectIndex(const in int i) {
int size = textureSize(batchingIdTexture,0).x;
int x = i % size;
int y = i / size;
return float(texelFetch(batchingIdTexture,ivec2(x,y),0).r);
}
#endif
#ifdef USE_BATCHING_COLOR
uniform sampler2D batchingColorTexture;
vec4 getBatchingColor(const in float i) {
int size = textureSize(batchingColorTexture,0).x;
int j = int(i);
int x = j % size;
int y = j / size;
return texelFetch(batchingColorTexture,ivec2(x,y),0);
}
#endif`,$_=`#ifdef USE_BATCHING
mat4 batchingMatrix = getBatchingMatrix(getIndirectIndex(gl_DrawID));
#endif`,J_=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
vPosition = vec3(position);
#endif`,K_=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
vec3 objectTangent = vec3(tangent.xyz);
#endif`,j_=`float G_BlinnPhong_Implicit( ) {
return 0.25;
}
float D_BlinnPhong(const in float shininess,const in float dotNH) {
return RECIPROCAL_PI * (shininess * 0.5 + 1.0) * pow(dotNH,shininess);
}
vec3 BRDF_BlinnPhong(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in vec3 specularColor,const in float shininess) {
vec3 halfDir = normalize(lightDir + viewDir);
float dotNH = saturate(dot(normal,halfDir));
float dotVH = saturate(dot(viewDir,halfDir));
vec3 F = F_Schlick(specularColor,1.0,dotVH);
float G = G_BlinnPhong_Implicit();
float D = D_BlinnPhong(shininess,dotNH);
return F * (G * D);
} // validated`,Q_=`#ifdef USE_IRIDESCENCE
const mat3 XYZ_TO_REC709 = mat3(
3.2404542,-0.9692660, 0.0556434,
-1.5371385, 1.8760108,-0.2040259,
-0.4985314, 0.0415560, 1.0572252
);
vec3 Fresnel0ToIor(vec3 fresnel0) {
vec3 sqrtF0 = sqrt(fresnel0);
return (vec3(1.0) + sqrtF0) / (vec3(1.0) - sqrtF0);
}
vec3 IorToFresnel0(vec3 transmittedIor,float incidentIor) {
return pow2((transmittedIor - vec3(incidentIor)) / (transmittedIor + vec3(incidentIor)));
}
float IorToFresnel0(float transmittedIor,float incidentIor) {
return pow2((transmittedIor - incidentIor) / (transmittedIor + incidentIor));
}
vec3 evalSensitivity(float OPD,vec3 shift) {
float phase = 2.0 * PI * OPD * 1.0e-9;
vec3 val = vec3(5.4856e-13,4.4201e-13,5.2481e-13);
vec3 pos = vec3(1.6810e+06,1.7953e+06,2.2084e+06);
vec3 var = vec3(4.3278e+09,9.3046e+09,6.6121e+09);
vec3 xyz = val * sqrt(2.0 * PI * var) * cos(pos * phase + shift) * exp(- pow2(phase) * var);
xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e+09) * cos(2.2399e+06 * phase + shift[ 0 ]) * exp(- 4.5282e+09 * pow2(phase));
xyz /= 1.0685e-7;
vec3 rgb = XYZ_TO_REC709 * xyz;
return rgb;
}
vec3 evalIridescence(float outsideIOR,float eta2,float cosTheta1,float thinFilmThickness,vec3 baseF0) {
vec3 I;
float iridescenceIOR = mix(outsideIOR,eta2,smoothstep(0.0,0.03,thinFilmThickness));
float sinTheta2Sq = pow2(outsideIOR / iridescenceIOR) * (1.0 - pow2(cosTheta1));
float cosTheta2Sq = 1.0 - sinTheta2Sq;
if (cosTheta2Sq < 0.0) {
return vec3(1.0);
}
float cosTheta2 = sqrt(cosTheta2Sq);
float R0 = IorToFresnel0(iridescenceIOR,outsideIOR);
float R12 = F_Schlick(R0,1.0,cosTheta1);
float T121 = 1.0 - R12;
float phi12 = 0.0;
if (iridescenceIOR < outsideIOR) phi12 = PI;
float phi21 = PI - phi12;
vec3 baseIOR = Fresnel0ToIor(clamp(baseF0,0.0,0.9999));		vec3 R1 = IorToFresnel0(baseIOR,iridescenceIOR);
vec3 R23 = F_Schlick(R1,1.0,cosTheta2);
vec3 phi23 = vec3(0.0);
if (baseIOR[ 0 ] < iridescenceIOR) phi23[ 0 ] = PI;
if (baseIOR[ 1 ] < iridescenceIOR) phi23[ 1 ] = PI;
if (baseIOR[ 2 ] < iridescenceIOR) phi23[ 2 ] = PI;
float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
vec3 phi = vec3(phi21) + phi23;
vec3 R123 = clamp(R12 * R23,1e-5,0.9999);
vec3 r123 = sqrt(R123);
vec3 Rs = pow2(T121) * R23 / (vec3(1.0) - R123);
vec3 C0 = R12 + Rs;
I = C0;
vec3 Cm = Rs - T121;
for (int m = 1; m <= 2; ++ m) {
Cm *= r123;
vec3 Sm = 2.0 * evalSensitivity(float(m) * OPD,float(m) * phi);
I += Cm * Sm;
}
return max(I,vec3(0.0));
}
#endif`,tx=`#ifdef USE_BUMPMAP
uniform sampler2D bumpMap;
uniform float bumpScale;
vec2 dHdxy_fwd() {
vec2 dSTdx = dFdx(vBumpMapUv);
vec2 dSTdy = dFdy(vBumpMapUv);
float Hll = bumpScale * texture2D(bumpMap,vBumpMapUv).x;
float dBx = bumpScale * texture2D(bumpMap,vBumpMapUv + dSTdx).x - Hll;
float dBy = bumpScale * texture2D(bumpMap,vBumpMapUv + dSTdy).x - Hll;
return vec2(dBx,dBy);
}
vec3 perturbNormalArb(vec3 surf_pos,vec3 surf_norm,vec2 dHdxy,float faceDirection) {
vec3 vSigmaX = normalize(dFdx(surf_pos.xyz));
vec3 vSigmaY = normalize(dFdy(surf_pos.xyz));
vec3 vN = surf_norm;
vec3 R1 = cross(vSigmaY,vN);
vec3 R2 = cross(vN,vSigmaX);
float fDet = dot(vSigmaX,R1) * faceDirection;
vec3 vGrad = sign(fDet) * (dHdxy.x * R1 + dHdxy.y * R2);
return normalize(abs(fDet) * surf_norm - vGrad);
}
#endif`,ex=`#if NUM_CLIPPING_PLANES > 0
vec4 plane;
#ifdef ALPHA_TO_COVERAGE
float distanceToPlane,distanceGradient;
float clipOpacity = 1.0;
#pragma unroll_loop_start
for (int i = 0; i < UNION_CLIPPING_PLANES; i ++) {
plane = clippingPlanes[ i ];
distanceToPlane = - dot(vClipPosition,plane.xyz) + plane.w;
distanceGradient = fwidth(distanceToPlane) / 2.0;
clipOpacity *= smoothstep(- distanceGradient,distanceGradient,distanceToPlane);
if (clipOpacity == 0.0) discard;
}
#pragma unroll_loop_end
#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
float unionClipOpacity = 1.0;
#pragma unroll_loop_start
for (int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++) {
plane = clippingPlanes[ i ];
distanceToPlane = - dot(vClipPosition,plane.xyz) + plane.w;
distanceGradient = fwidth(distanceToPlane) / 2.0;
unionClipOpacity *= 1.0 - smoothstep(- distanceGradient,distanceGradient,distanceToPlane);
}
#pragma unroll_loop_end
clipOpacity *= 1.0 - unionClipOpacity;
#endif
diffuseColor.a *= clipOpacity;
if (diffuseColor.a == 0.0) discard;
#else
#pragma unroll_loop_start
for (int i = 0; i < UNION_CLIPPING_PLANES; i ++) {
plane = clippingPlanes[ i ];
if (dot(vClipPosition,plane.xyz) > plane.w) discard;
}
#pragma unroll_loop_end
#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
bool clipped = true;
#pragma unroll_loop_start
for (int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++) {
plane = clippingPlanes[ i ];
clipped = (dot(vClipPosition,plane.xyz) > plane.w) && clipped;
}
#pragma unroll_loop_end
if (clipped) discard;
#endif
#endif
#endif`,nx=`#if NUM_CLIPPING_PLANES > 0
varying vec3 vClipPosition;
uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,ix=`#if NUM_CLIPPING_PLANES > 0
varying vec3 vClipPosition;
#endif`,sx=`#if NUM_CLIPPING_PLANES > 0
vClipPosition = - mvPosition.xyz;
#endif`,rx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
diffuseColor *= vColor;
#endif`,ox=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
varying vec4 vColor;
#endif`,ax=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
varying vec4 vColor;
#endif`,lx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
vColor = vec4(1.0);
#endif
#ifdef USE_COLOR_ALPHA
vColor *= color;
#elif defined( USE_COLOR )
vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
vColor *= getBatchingColor(getIndirectIndex(gl_DrawID));
#endif`,cx=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2(const in float x) { return x*x; }
vec3 pow2(const in vec3 x) { return x*x; }
float pow3(const in float x) { return x*x*x; }
float pow4(const in float x) { float x2 = x*x; return x2*x2; }
float max3(const in vec3 v) { return max(max(v.x,v.y),v.z); }
float average(const in vec3 v) { return dot(v,vec3(0.3333333)); }
highp float rand(const in vec2 uv) {
const highp float a = 12.9898,b = 78.233,c = 43758.5453;
highp float dt = dot(uv.xy,vec2(a,b)),sn = mod(dt,PI);
return fract(sin(sn) * c);
}
#ifdef HIGH_PRECISION
float precisionSafeLength(vec3 v) { return length(v); }
#else
float precisionSafeLength(vec3 v) {
float maxComponent = max3(abs(v));
return length(v / maxComponent) * maxComponent;
}
#endif
struct IncidentLight {
vec3 color;
vec3 direction;
bool visible;
};
struct ReflectedLight {
vec3 directDiffuse;
vec3 directSpecular;
vec3 indirectDiffuse;
vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
varying vec3 vPosition;
#endif
vec3 transformDirection(in vec3 dir,in mat4 matrix) {
return normalize((matrix * vec4(dir,0.0)).xyz);
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix(in vec3 normal,in mat4 viewMatrix) {
return normalize((vec4(normal,0.0) * viewMatrix).xyz);
}
vec3 transformDirectionByInverseViewMatrix(in vec3 dir,in mat4 viewMatrix) {
return normalize((vec4(dir,0.0) * viewMatrix).xyz);
}
bool isPerspectiveMatrix(mat4 m) {
return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv(in vec3 dir) {
float u = atan(dir.z,dir.x) * RECIPROCAL_PI2 + 0.5;
float v = asin(clamp(dir.y,- 1.0,1.0)) * RECIPROCAL_PI + 0.5;
return vec2(u,v);
}
vec3 BRDF_Lambert(const in vec3 diffuseColor) {
return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick(const in vec3 f0,const in float f90,const in float dotVH) {
float fresnel = exp2((- 5.55473 * dotVH - 6.98316) * dotVH);
return f0 * (1.0 - fresnel) + (f90 * fresnel);
}
float F_Schlick(const in float f0,const in float f90,const in float dotVH) {
float fresnel = exp2((- 5.55473 * dotVH - 6.98316) * dotVH);
return f0 * (1.0 - fresnel) + (f90 * fresnel);
} // validated`,hx=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
mat3 bm = mat3(batchingMatrix);
transformedNormal /= vec3(dot(bm[ 0 ],bm[ 0 ]),dot(bm[ 1 ],bm[ 1 ]),dot(bm[ 2 ],bm[ 2 ]));
transformedNormal = bm * transformedNormal;
#ifdef USE_TANGENT
transformedTangent = bm * transformedTangent;
#endif
#endif
#ifdef USE_INSTANCING
mat3 im = mat3(instanceMatrix);
transformedNormal /= vec3(dot(im[ 0 ],im[ 0 ]),dot(im[ 1 ],im[ 1 ]),dot(im[ 2 ],im[ 2 ]));
transformedNormal = im * transformedNormal;
#ifdef USE_TANGENT
transformedTangent = im * transformedTangent;
#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
transformedTangent = (modelViewMatrix * vec4(transformedTangent,0.0)).xyz;
#endif`,ux=`#ifdef USE_DISPLACEMENTMAP
uniform sampler2D displacementMap;
uniform float displacementScale;
uniform float displacementBias;
#endif`,fx=`#ifdef USE_DISPLACEMENTMAP
transformed += normalize(objectNormal) * (texture2D(displacementMap,vDisplacementMapUv).x * displacementScale + displacementBias);
#endif`,dx=`#ifdef USE_EMISSIVEMAP
vec4 emissiveColor = texture2D(emissiveMap,vEmissiveMapUv);
#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
emissiveColor = sRGBTransferEOTF(emissiveColor);
#endif
totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,px=`#ifdef USE_EMISSIVEMAP
uniform sampler2D emissiveMap;
#endif`,mx="gl_FragColor = linearToOutputTexel( gl_FragColor );",gx=`vec4 LinearTransferOETF( in vec4 value ) {
return value;
}
vec4 sRGBTransferEOTF(in vec4 value) {
return vec4(mix(pow(value.rgb * 0.9478672986 + vec3(0.0521327014),vec3(2.4)),value.rgb * 0.0773993808,vec3(lessThanEqual(value.rgb,vec3(0.04045)))),value.a);
}
vec4 sRGBTransferOETF(in vec4 value) {
return vec4(mix(pow(value.rgb,vec3(0.41666)) * 1.055 - vec3(0.055),value.rgb * 12.92,vec3(lessThanEqual(value.rgb,vec3(0.0031308)))),value.a);
}`,_x=`#ifdef USE_ENVMAP
#ifdef ENV_WORLDPOS
vec3 cameraToFrag;
if (isOrthographic) {
cameraToFrag = normalize(vec3(- viewMatrix[ 0 ][ 2 ],- viewMatrix[ 1 ][ 2 ],- viewMatrix[ 2 ][ 2 ]));
} else {
cameraToFrag = normalize(vWorldPosition - cameraPosition);
}
vec3 worldNormal = transformNormalByInverseViewMatrix(normal,viewMatrix);
#ifdef ENVMAP_MODE_REFLECTION
vec3 reflectVec = reflect(cameraToFrag,worldNormal);
#else
vec3 reflectVec = refract(cameraToFrag,worldNormal,refractionRatio);
#endif
#else
vec3 reflectVec = vReflect;
#endif
#ifdef ENVMAP_TYPE_CUBE
vec4 envColor = textureCube(envMap,envMapRotation * reflectVec);
#ifdef ENVMAP_BLENDING_MULTIPLY
outgoingLight = mix(outgoingLight,outgoingLight * envColor.xyz,specularStrength * reflectivity);
#elif defined( ENVMAP_BLENDING_MIX )
outgoingLight = mix(outgoingLight,envColor.xyz,specularStrength * reflectivity);
#elif defined( ENVMAP_BLENDING_ADD )
outgoingLight += envColor.xyz * specularStrength * reflectivity;
#endif
#endif
#endif`,xx=`#ifdef USE_ENVMAP
uniform float envMapIntensity;
uniform mat3 envMapRotation;
uniform samplerCube envMap;
#ifdef ENVMAP_TYPE_PMREM
float roughnessToMip(const in float roughness) {
float r = clamp(roughness,0.0,1.0);
return ENVMAP_MAX_LOD * r * (2.0 - r);
}
#endif
#endif`,yx=`#ifdef USE_ENVMAP
uniform float reflectivity;
#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
#define ENV_WORLDPOS
#endif
#ifdef ENV_WORLDPOS
varying vec3 vWorldPosition;
uniform float refractionRatio;
#else
varying vec3 vReflect;
#endif
#endif`,vx=`#ifdef USE_ENVMAP
#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
#define ENV_WORLDPOS
#endif
#ifdef ENV_WORLDPOS
varying vec3 vWorldPosition;
#else
varying vec3 vReflect;
uniform float refractionRatio;
#endif
#endif`,Sx=`#ifdef USE_ENVMAP
#ifdef ENV_WORLDPOS
vWorldPosition = worldPosition.xyz;
#else
vec3 cameraToVertex;
if (isOrthographic) {
cameraToVertex = normalize(vec3(- viewMatrix[ 0 ][ 2 ],- viewMatrix[ 1 ][ 2 ],- viewMatrix[ 2 ][ 2 ]));
} else {
cameraToVertex = normalize(worldPosition.xyz - cameraPosition);
}
vec3 worldNormal = transformNormalByInverseViewMatrix(transformedNormal,viewMatrix);
#ifdef ENVMAP_MODE_REFLECTION
vReflect = reflect(cameraToVertex,worldNormal);
#else
vReflect = refract(cameraToVertex,worldNormal,refractionRatio);
#endif
#endif
#endif`,Mx=`#ifdef USE_FOG
vFogDepth = - mvPosition.z;
#endif`,bx=`#ifdef USE_FOG
varying float vFogDepth;
#endif`,wx=`#ifdef USE_FOG
#ifdef FOG_EXP2
float fogFactor = 1.0 - exp(- fogDensity * fogDensity * vFogDepth * vFogDepth);
#else
float fogFactor = smoothstep(fogNear,fogFar,vFogDepth);
#endif
gl_FragColor.rgb = mix(gl_FragColor.rgb,fogColor,fogFactor);
#endif`,Ex=`#ifdef USE_FOG
uniform vec3 fogColor;
varying float vFogDepth;
#ifdef FOG_EXP2
uniform float fogDensity;
#else
uniform float fogNear;
uniform float fogFar;
#endif
#endif`,Tx=`#ifdef USE_GRADIENTMAP
uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance(vec3 normal,vec3 lightDirection) {
float dotNL = dot(normal,lightDirection);
vec2 coord = vec2(dotNL * 0.5 + 0.5,0.0);
#ifdef USE_GRADIENTMAP
return vec3(texture2D(gradientMap,coord).r);
#else
vec2 fw = fwidth(coord) * 0.5;
return mix(vec3(0.7),vec3(1.0),smoothstep(0.7 - fw.x,0.7 + fw.x,coord.x));
#endif
}`,Ax=`#ifdef USE_LIGHTMAP
uniform sampler2D lightMap;
uniform float lightMapIntensity;
#endif`,Rx=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,Cx=`varying vec3 vViewPosition;
struct LambertMaterial {
vec3 diffuseColor;
float specularStrength;
};
void RE_Direct_Lambert(const in IncidentLight directLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in LambertMaterial material,inout ReflectedLight reflectedLight) {
float dotNL = saturate(dot(geometryNormal,directLight.direction));
vec3 irradiance = dotNL * directLight.color;
reflectedLight.directDiffuse += irradiance * BRDF_Lambert(material.diffuseColor);
}
void RE_IndirectDiffuse_Lambert(const in vec3 irradiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in LambertMaterial material,inout ReflectedLight reflectedLight) {
reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert(material.diffuseColor);
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,Px=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt(in vec3 normal,in vec3 shCoefficients[ 9 ]) {
float x = normal.x,y = normal.y,z = normal.z;
vec3 result = shCoefficients[ 0 ] * 0.886227;
result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
result += shCoefficients[ 6 ] * (0.743125 * z * z - 0.247708);
result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
result += shCoefficients[ 8 ] * 0.429043 * (x * x - y * y);
return result;
}
vec3 getLightProbeIrradiance(const in vec3 lightProbe[ 9 ],const in vec3 normal) {
vec3 worldNormal = transformNormalByInverseViewMatrix(normal,viewMatrix);
vec3 irradiance = shGetIrradianceAt(worldNormal,lightProbe);
return irradiance;
}
vec3 getAmbientLightIrradiance(const in vec3 ambientLightColor) {
vec3 irradiance = ambientLightColor;
return irradiance;
}
float getDistanceAttenuation(const in float lightDistance,const in float cutoffDistance,const in float decayExponent) {
float distanceFalloff = 1.0 / max(pow(lightDistance,decayExponent),0.01);
if (cutoffDistance > 0.0) {
distanceFalloff *= pow2(saturate(1.0 - pow4(lightDistance / cutoffDistance)));
}
return distanceFalloff;
}
float getSpotAttenuation(const in float coneCosine,const in float penumbraCosine,const in float angleCosine) {
return smoothstep(coneCosine,penumbraCosine,angleCosine);
}
#if NUM_SUN_LIGHTS > 0
struct SunLight {
vec3 direction;
vec3 color;
};
uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
void getSunLightInfo(const in SunLight sunLight,out IncidentLight light) {
light.color = sunLight.color;
light.direction = sunLight.direction;
light.visible = true;
}
#endif
#if NUM_DIR_LIGHTS > 0
struct DirectionalLight {
vec3 direction;
vec3 color;
};
uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
void getDirectionalLightInfo(const in DirectionalLight directionalLight,out IncidentLight light) {
light.color = directionalLight.color;
light.direction = directionalLight.direction;
light.visible = true;
}
#endif
#if NUM_POINT_LIGHTS > 0
struct PointLight {
vec3 position;
vec3 color;
float distance;
float decay;
};
uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
void getPointLightInfo(const in PointLight pointLight,const in vec3 geometryPosition,out IncidentLight light) {
vec3 lVector = pointLight.position - geometryPosition;
light.direction = normalize(lVector);
float lightDistance = length(lVector);
light.color = pointLight.color;
light.color *= getDistanceAttenuation(lightDistance,pointLight.distance,pointLight.decay);
light.visible = (light.color != vec3(0.0));
}
#endif
#if NUM_SPOT_LIGHTS > 0
struct SpotLight {
vec3 position;
vec3 direction;
vec3 color;
float distance;
float decay;
float coneCos;
float penumbraCos;
};
uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
void getSpotLightInfo(const in SpotLight spotLight,const in vec3 geometryPosition,out IncidentLight light) {
vec3 lVector = spotLight.position - geometryPosition;
light.direction = normalize(lVector);
float angleCos = dot(light.direction,spotLight.direction);
float spotAttenuation = getSpotAttenuation(spotLight.coneCos,spotLight.penumbraCos,angleCos);
if (spotAttenuation > 0.0) {
float lightDistance = length(lVector);
light.color = spotLight.color * spotAttenuation;
light.color *= getDistanceAttenuation(lightDistance,spotLight.distance,spotLight.decay);
light.visible = (light.color != vec3(0.0));
} else {
light.color = vec3(0.0);
light.visible = false;
}
}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
struct RectAreaLight {
vec3 color;
vec3 position;
vec3 halfWidth;
vec3 halfHeight;
};
uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
struct HemisphereLight {
vec3 direction;
vec3 skyColor;
vec3 groundColor;
};
uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
vec3 getHemisphereLightIrradiance(const in HemisphereLight hemiLight,const in vec3 normal) {
float dotNL = dot(normal,hemiLight.direction);
float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
vec3 irradiance = mix(hemiLight.groundColor,hemiLight.skyColor,hemiDiffuseWeight);
return irradiance;
}
#endif
#include <lightprobes_pars_fragment>`,Ix=`#ifdef USE_ENVMAP
vec3 getIBLIrradiance(const in vec3 normal) {
#ifdef ENVMAP_TYPE_PMREM
vec3 worldNormal = transformNormalByInverseViewMatrix(normal,viewMatrix);
vec4 envMapColor = textureLod(envMap,envMapRotation * worldNormal,ENVMAP_MAX_LOD);
return PI * envMapColor.rgb * envMapIntensity;
#else
return vec3(0.0);
#endif
}
vec3 getIBLRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness) {
#ifdef ENVMAP_TYPE_PMREM
vec3 reflectVec = reflect(- viewDir,normal);
reflectVec = normalize(mix(reflectVec,normal,pow4(roughness)));
reflectVec = transformDirectionByInverseViewMatrix(reflectVec,viewMatrix);
vec4 envMapColor = textureLod(envMap,envMapRotation * reflectVec,roughnessToMip(roughness));
return envMapColor.rgb * envMapIntensity;
#else
return vec3(0.0);
#endif
}
#ifdef USE_RETROREFLECTION
vec3 getIBLRetroRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness) {
#ifdef ENVMAP_TYPE_PMREM
vec3 retroVec = normalize(mix(viewDir,normal,pow4(roughness)));
retroVec = transformDirectionByInverseViewMatrix(retroVec,viewMatrix);
vec4 envMapColor = textureLod(envMap,envMapRotation * retroVec,roughnessToMip(roughness));
return envMapColor.rgb * envMapIntensity;
#else
return vec3(0.0);
#endif
}
#endif
#ifdef USE_ANISOTROPY
vec3 getIBLAnisotropyRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness,const in vec3 bitangent,const in float anisotropy) {
#ifdef ENVMAP_TYPE_PMREM
vec3 bentNormal = cross(bitangent,viewDir);
bentNormal = normalize(cross(bentNormal,bitangent));
bentNormal = normalize(mix(bentNormal,normal,pow2(pow2(1.0 - anisotropy * (1.0 - roughness)))));
return getIBLRadiance(viewDir,bentNormal,roughness);
#else
return vec3(0.0);
#endif
}
#ifdef USE_RETROREFLECTION
vec3 getIBLAnisotropyRetroRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness,const in vec3 bitangent,const in float anisotropy) {
#ifdef ENVMAP_TYPE_PMREM
vec3 bentNormal = cross(bitangent,viewDir);
bentNormal = normalize(cross(bentNormal,bitangent));
bentNormal = normalize(mix(bentNormal,normal,pow2(pow2(1.0 - anisotropy * (1.0 - roughness)))));
return getIBLRetroRadiance(viewDir,bentNormal,roughness);
#else
return vec3(0.0);
#endif
}
#endif
#endif
#endif`,Lx=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,Dx=`varying vec3 vViewPosition;
struct ToonMaterial {
vec3 diffuseColor;
};
void RE_Direct_Toon(const in IncidentLight directLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in ToonMaterial material,inout ReflectedLight reflectedLight) {
vec3 irradiance = getGradientIrradiance(geometryNormal,directLight.direction) * directLight.color;
reflectedLight.directDiffuse += irradiance * BRDF_Lambert(material.diffuseColor);
}
void RE_IndirectDiffuse_Toon(const in vec3 irradiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in ToonMaterial material,inout ReflectedLight reflectedLight) {
reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert(material.diffuseColor);
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,Nx=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,Ux=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
vec3 diffuseColor;
vec3 specularColor;
float specularShininess;
float specularStrength;
};
void RE_Direct_BlinnPhong(const in IncidentLight directLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in BlinnPhongMaterial material,inout ReflectedLight reflectedLight) {
float dotNL = saturate(dot(geometryNormal,directLight.direction));
vec3 irradiance = dotNL * directLight.color;
reflectedLight.directDiffuse += irradiance * BRDF_Lambert(material.diffuseColor);
reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong(directLight.direction,geometryViewDir,geometryNormal,material.specularColor,material.specularShininess) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong(const in vec3 irradiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in BlinnPhongMaterial material,inout ReflectedLight reflectedLight) {
reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert(material.diffuseColor);
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,Fx=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * (1.0 - metalnessFactor);
material.metalness = metalnessFactor;
vec3 dxy = max(abs(dFdx(nonPerturbedNormal)),abs(dFdy(nonPerturbedNormal)));
float geometryRoughness = max(max(dxy.x,dxy.y),dxy.z);
material.roughness = max(roughnessFactor,0.045);
material.roughness += geometryRoughness;
material.roughness = min(material.roughness,1.0);
#ifdef USE_DIFFUSE_ROUGHNESS
float diffuseRoughnessFactor = diffuseRoughness;
#ifdef USE_DIFFUSE_ROUGHNESSMAP
diffuseRoughnessFactor *= texture2D(diffuseRoughnessMap,vDiffuseRoughnessMapUv).r;
#endif
material.diffuseRoughness = saturate(diffuseRoughnessFactor);
#endif
#ifdef IOR
material.ior = ior;
#ifdef USE_SPECULAR
float specularIntensityFactor = specularIntensity;
vec3 specularColorFactor = specularColor;
#ifdef USE_SPECULAR_COLORMAP
specularColorFactor *= texture2D(specularColorMap,vSpecularColorMapUv).rgb;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
specularIntensityFactor *= texture2D(specularIntensityMap,vSpecularIntensityMapUv).a;
#endif
material.specularF90 = mix(specularIntensityFactor,1.0,metalnessFactor);
#else
float specularIntensityFactor = 1.0;
vec3 specularColorFactor = vec3(1.0);
material.specularF90 = 1.0;
#endif
material.specularColor = min(pow2((material.ior - 1.0) / (material.ior + 1.0)) * specularColorFactor,vec3(1.0)) * specularIntensityFactor;
material.specularColorBlended = mix(material.specularColor,diffuseColor.rgb,metalnessFactor);
#else
material.specularColor = vec3(0.04);
material.specularColorBlended = mix(material.specularColor,diffuseColor.rgb,metalnessFactor);
material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
material.clearcoat = clearcoat;
material.clearcoatRoughness = clearcoatRoughness;
material.clearcoatF0 = vec3(0.04);
material.clearcoatF90 = 1.0;
#ifdef USE_CLEARCOATMAP
material.clearcoat *= texture2D(clearcoatMap,vClearcoatMapUv).x;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
material.clearcoatRoughness *= texture2D(clearcoatRoughnessMap,vClearcoatRoughnessMapUv).y;
#endif
material.clearcoat = saturate(material.clearcoat);	material.clearcoatRoughness = max(material.clearcoatRoughness,0.045);
material.clearcoatRoughness += geometryRoughness;
material.clearcoatRoughness = min(material.clearcoatRoughness,1.0);
#endif
#ifdef USE_DISPERSION
material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
material.iridescence = iridescence;
material.iridescenceIOR = iridescenceIOR;
#ifdef USE_IRIDESCENCEMAP
material.iridescence *= texture2D(iridescenceMap,vIridescenceMapUv).r;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D(iridescenceThicknessMap,vIridescenceThicknessMapUv).g + iridescenceThicknessMinimum;
#else
material.iridescenceThickness = iridescenceThicknessMaximum;
#endif
#endif
#ifdef USE_SHEEN
material.sheenColor = sheenColor;
#ifdef USE_SHEEN_COLORMAP
material.sheenColor *= texture2D(sheenColorMap,vSheenColorMapUv).rgb;
#endif
material.sheenRoughness = clamp(sheenRoughness,0.0001,1.0);
#ifdef USE_SHEEN_ROUGHNESSMAP
material.sheenRoughness *= texture2D(sheenRoughnessMap,vSheenRoughnessMapUv).a;
#endif
#endif
#ifdef USE_ANISOTROPY
#ifdef USE_ANISOTROPYMAP
mat2 anisotropyMat = mat2(anisotropyVector.x,anisotropyVector.y,- anisotropyVector.y,anisotropyVector.x);
vec3 anisotropyPolar = texture2D(anisotropyMap,vAnisotropyMapUv).rgb;
vec2 anisotropyV = anisotropyMat * normalize(2.0 * anisotropyPolar.rg - vec2(1.0)) * anisotropyPolar.b;
#else
vec2 anisotropyV = anisotropyVector;
#endif
material.anisotropy = length(anisotropyV);
if(material.anisotropy == 0.0) {
anisotropyV = vec2(1.0,0.0);
} else {
anisotropyV /= material.anisotropy;
material.anisotropy = saturate(material.anisotropy);
}
material.alphaT = mix(pow2(material.roughness),1.0,pow2(material.anisotropy));
material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,Ox=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
vec3 diffuseColor;
vec3 diffuseContribution;
vec3 specularColor;
vec3 specularColorBlended;
float roughness;
float metalness;
float specularF90;
float dispersion;
vec2 dfg;
vec3 multiScatteringCompensation;
#ifdef USE_DIFFUSE_ROUGHNESS
float diffuseRoughness;
#endif
#ifdef USE_RETROREFLECTION
float retroreflectivity;
#endif
#ifdef USE_CLEARCOAT
float clearcoat;
float clearcoatRoughness;
vec3 clearcoatF0;
float clearcoatF90;
#endif
#ifdef USE_IRIDESCENCE
float iridescence;
float iridescenceIOR;
float iridescenceThickness;
vec3 iridescenceFresnel;
vec3 iridescenceF0Dielectric;
vec3 iridescenceF0Metallic;
#endif
#ifdef USE_SHEEN
vec3 sheenColor;
float sheenRoughness;
#endif
#ifdef IOR
float ior;
#endif
#ifdef USE_TRANSMISSION
float transmission;
float transmissionAlpha;
float thickness;
float attenuationDistance;
vec3 attenuationColor;
#endif
#ifdef USE_ANISOTROPY
float anisotropy;
float alphaT;
vec3 anisotropyT;
vec3 anisotropyB;
#endif
};
vec3 clearcoatSpecularDirect = vec3(0.0);
vec3 clearcoatSpecularIndirect = vec3(0.0);
vec3 sheenSpecularDirect = vec3(0.0);
vec3 sheenSpecularIndirect = vec3(0.0);
vec3 Schlick_to_F0(const in vec3 f,const in float f90,const in float dotVH) {
float x = clamp(1.0 - dotVH,0.0,1.0);
float x2 = x * x;
float x5 = clamp(x * x2 * x2,0.0,0.9999);
return (f - vec3(f90) * x5) / (1.0 - x5);
}
#ifdef USE_DIFFUSE_ROUGHNESS
const float EON_EPSILON = 1e-7;
float FON_DirectionalAlbedo(const in float mu,const in float roughness,const in float A) {
float muComp = 1.0 - mu;
float gOverPi = muComp * (0.0571085289 + muComp * (0.491881867 + muComp * (- 0.332181442 + muComp * 0.0714429953)));
return A * (1.0 + roughness * gOverPi);
}
vec3 BRDF_EON(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in vec3 diffuseColor,const in float roughness) {
vec3 rho = saturate(diffuseColor);
if (roughness <= EON_EPSILON) return BRDF_Lambert(rho);
float dotNL = saturate(dot(normal,lightDir));
float dotNV = saturate(dot(normal,viewDir));
float s = dot(lightDir,viewDir) - dotNL * dotNV;
float sOverT = (s > 0.0) ? s / max(max(dotNL,dotNV),EON_EPSILON) : s;
float A = 1.0 / (1.0 + (0.5 - 2.0 / (3.0 * PI)) * roughness);
vec3 singleScatter = rho * RECIPROCAL_PI * A * (1.0 + roughness * sOverT);
float averageAlbedo = A * (1.0 + (2.0 / 3.0 - 28.0 / (15.0 * PI)) * roughness);
float albedoV = FON_DirectionalAlbedo(dotNV,roughness,A);
float albedoL = FON_DirectionalAlbedo(dotNL,roughness,A);
vec3 rhoMultiScatter = rho * rho * averageAlbedo / max(vec3(EON_EPSILON),vec3(1.0) - rho * (1.0 - averageAlbedo));
vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
* max(EON_EPSILON,1.0 - albedoV)
* max(EON_EPSILON,1.0 - albedoL)
/ max(EON_EPSILON,1.0 - averageAlbedo);
return singleScatter + multiScatter;
}
vec3 EON_DirectionalAlbedo(const in vec3 diffuseColor,const in float roughness,const in float dotNV) {
vec3 rho = saturate(diffuseColor);
if (roughness <= EON_EPSILON) return rho;
float A = 1.0 / (1.0 + (0.5 - 2.0 / (3.0 * PI)) * roughness);
float directionalAlbedo = FON_DirectionalAlbedo(dotNV,roughness,A);
float averageAlbedo = A * (1.0 + (2.0 / 3.0 - 28.0 / (15.0 * PI)) * roughness);
vec3 rhoMultiScatter = rho * rho * averageAlbedo / max(vec3(EON_EPSILON),vec3(1.0) - rho * (1.0 - averageAlbedo));
return rho * directionalAlbedo + rhoMultiScatter * (1.0 - directionalAlbedo);
}
#endif
float V_GGX_SmithCorrelated(const in float alpha,const in float dotNL,const in float dotNV) {
float a2 = pow2(alpha);
float gv = dotNL * sqrt(a2 + (1.0 - a2) * pow2(dotNV));
float gl = dotNV * sqrt(a2 + (1.0 - a2) * pow2(dotNL));
return 0.5 / max(gv + gl,EPSILON);
}
float D_GGX(const in float alpha,const in float dotNH) {
float a2 = pow2(alpha);
float denom = pow2(dotNH) * (a2 - 1.0) + 1.0;
return RECIPROCAL_PI * a2 / pow2(denom);
}
#ifdef USE_ANISOTROPY
float V_GGX_SmithCorrelated_Anisotropic(const in float alphaT,const in float alphaB,const in float dotTV,const in float dotBV,const in float dotTL,const in float dotBL,const in float dotNV,const in float dotNL) {
float gv = dotNL * length(vec3(alphaT * dotTV,alphaB * dotBV,dotNV));
float gl = dotNV * length(vec3(alphaT * dotTL,alphaB * dotBL,dotNL));
return 0.5 / max(gv + gl,EPSILON);
}
float D_GGX_Anisotropic(const in float alphaT,const in float alphaB,const in float dotNH,const in float dotTH,const in float dotBH) {
float a2 = alphaT * alphaB;
highp vec3 v = vec3(alphaB * dotTH,alphaT * dotBH,a2 * dotNH);
highp float v2 = dot(v,v);
float w2 = a2 / v2;
return RECIPROCAL_PI * a2 * pow2 (w2);
}
#endif
#ifdef USE_CLEARCOAT
vec3 BRDF_GGX_Clearcoat(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in PhysicalMaterial material) {
vec3 f0 = material.clearcoatF0;
float f90 = material.clearcoatF90;
float roughness = max(material.clearcoatRoughness,0.045);
float alpha = pow2(roughness);
vec3 halfDir = normalize(lightDir + viewDir);
float dotNL = saturate(dot(normal,lightDir));
float dotNV = saturate(dot(normal,viewDir));
float dotNH = saturate(dot(normal,halfDir));
float dotVH = saturate(dot(viewDir,halfDir));
vec3 F = F_Schlick(f0,f90,dotVH);
float V = V_GGX_SmithCorrelated(alpha,dotNL,dotNV);
float D = D_GGX(alpha,dotNH);
return F * (V * D);
}
#endif
vec3 BRDF_GGX(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in PhysicalMaterial material) {
vec3 f0 = material.specularColorBlended;
float f90 = material.specularF90;
float roughness = max(material.roughness,0.045);
float alpha = pow2(roughness);
vec3 halfDir = normalize(lightDir + viewDir);
float dotNL = saturate(dot(normal,lightDir));
float dotNV = saturate(dot(normal,viewDir));
float dotNH = saturate(dot(normal,halfDir));
float dotVH = saturate(dot(viewDir,halfDir));
vec3 F = F_Schlick(f0,f90,dotVH);
#ifdef USE_IRIDESCENCE
F = mix(F,material.iridescenceFresnel,material.iridescence);
#endif
#ifdef USE_ANISOTROPY
float dotTL = dot(material.anisotropyT,lightDir);
float dotTV = dot(material.anisotropyT,viewDir);
float dotTH = dot(material.anisotropyT,halfDir);
float dotBL = dot(material.anisotropyB,lightDir);
float dotBV = dot(material.anisotropyB,viewDir);
float dotBH = dot(material.anisotropyB,halfDir);
float alphaT = max(material.alphaT,alpha);
float V = V_GGX_SmithCorrelated_Anisotropic(alphaT,alpha,dotTV,dotBV,dotTL,dotBL,dotNV,dotNL);
float D = D_GGX_Anisotropic(alphaT,alpha,dotNH,dotTH,dotBH);
#else
float V = V_GGX_SmithCorrelated(alpha,dotNL,dotNV);
float D = D_GGX(alpha,dotNH);
#endif
return F * (V * D);
}
vec2 LTC_Uv(const in vec3 N,const in vec3 V,const in float roughness) {
const float LUT_SIZE = 64.0;
const float LUT_SCALE = (LUT_SIZE - 1.0) / LUT_SIZE;
const float LUT_BIAS = 0.5 / LUT_SIZE;
float dotNV = saturate(dot(N,V));
vec2 uv = vec2(roughness,sqrt(1.0 - dotNV));
uv = uv * LUT_SCALE + LUT_BIAS;
return uv;
}
float LTC_ClippedSphereFormFactor(const in vec3 f) {
float l = length(f);
return max((l * l + f.z) / (l + 1.0),0.0);
}
vec3 LTC_EdgeVectorFormFactor(const in vec3 v1,const in vec3 v2) {
float x = dot(v1,v2);
float y = abs(x);
float a = 0.8543985 + (0.4965155 + 0.0145206 * y) * y;
float b = 3.4175940 + (4.1616724 + y) * y;
float v = a / b;
float theta_sintheta = (x > 0.0) ? v : 0.5 * inversesqrt(max(1.0 - x * x,1e-7)) - v;
return cross(v1,v2) * theta_sintheta;
}
vec3 LTC_Evaluate(const in vec3 N,const in vec3 V,const in vec3 P,const in mat3 mInv,const in vec3 rectCoords[ 4 ]) {
vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
vec3 lightNormal = cross(v1,v2);
if(dot(lightNormal,P - rectCoords[ 0 ]) < 0.0) return vec3(0.0);
vec3 T1,T2;
T1 = normalize(V - N * dot(V,N));
T2 = - cross(N,T1);
mat3 mat = mInv * transpose(mat3(T1,T2,N));
vec3 coords[ 4 ];
coords[ 0 ] = mat * (rectCoords[ 0 ] - P);
coords[ 1 ] = mat * (rectCoords[ 1 ] - P);
coords[ 2 ] = mat * (rectCoords[ 2 ] - P);
coords[ 3 ] = mat * (rectCoords[ 3 ] - P);
coords[ 0 ] = normalize(coords[ 0 ]);
coords[ 1 ] = normalize(coords[ 1 ]);
coords[ 2 ] = normalize(coords[ 2 ]);
coords[ 3 ] = normalize(coords[ 3 ]);
vec3 vectorFormFactor = vec3(0.0);
vectorFormFactor += LTC_EdgeVectorFormFactor(coords[ 0 ],coords[ 1 ]);
vectorFormFactor += LTC_EdgeVectorFormFactor(coords[ 1 ],coords[ 2 ]);
vectorFormFactor += LTC_EdgeVectorFormFactor(coords[ 2 ],coords[ 3 ]);
vectorFormFactor += LTC_EdgeVectorFormFactor(coords[ 3 ],coords[ 0 ]);
float result = LTC_ClippedSphereFormFactor(vectorFormFactor);
return vec3(result);
}
#if defined( USE_SHEEN )
float D_Charlie(float roughness,float dotNH) {
float alpha = pow2(roughness);
float invAlpha = 1.0 / alpha;
float cos2h = dotNH * dotNH;
float sin2h = max(1.0 - cos2h,0.0078125);
return (2.0 + invAlpha) * pow(sin2h,invAlpha * 0.5) / (2.0 * PI);
}
float V_Neubelt(float dotNV,float dotNL) {
return saturate(1.0 / (4.0 * (dotNL + dotNV - dotNL * dotNV)));
}
vec3 BRDF_Sheen(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,vec3 sheenColor,const in float sheenRoughness) {
vec3 halfDir = normalize(lightDir + viewDir);
float dotNL = saturate(dot(normal,lightDir));
float dotNV = saturate(dot(normal,viewDir));
float dotNH = saturate(dot(normal,halfDir));
float D = D_Charlie(sheenRoughness,dotNH);
float V = V_Neubelt(dotNV,dotNL);
return sheenColor * (D * V);
}
#endif
float IBLSheenBRDF(const in vec3 normal,const in vec3 viewDir,const in float roughness) {
float dotNV = saturate(dot(normal,viewDir));
float r2 = roughness * roughness;
float rInv = 1.0 / (roughness + 0.1);
float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
float DG = exp(a * dotNV + b);
return saturate(DG);
}
vec3 EnvironmentBRDF(const in vec3 normal,const in vec3 viewDir,const in vec3 specularColor,const in float specularF90,const in float roughness) {
float dotNV = saturate(dot(normal,viewDir));
vec2 fab = texture2D(dfgLUT,vec2(roughness,dotNV)).rg;
return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence(const in vec2 fab,const in vec3 specularColor,const in float specularF90,const in float iridescence,const in vec3 iridescenceF0,inout vec3 singleScatter,inout vec3 multiScatter) {
#else
void computeMultiscattering(const in vec2 fab,const in vec3 specularColor,const in float specularF90,inout vec3 singleScatter,inout vec3 multiScatter) {
#endif
#ifdef USE_IRIDESCENCE
vec3 Fr = mix(specularColor,iridescenceF0,iridescence);
#else
vec3 Fr = specularColor;
#endif
vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
float Ess = fab.x + fab.y;
float Ems = 1.0 - Ess;
vec3 Favg = Fr + (1.0 - Fr) * 0.047619;	vec3 Fms = FssEss * Favg / (1.0 - Ems * Favg);
singleScatter += FssEss;
multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
void RE_Direct_RectArea_Physical(const in RectAreaLight rectAreaLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in PhysicalMaterial material,inout ReflectedLight reflectedLight) {
vec3 normal = geometryNormal;
vec3 viewDir = geometryViewDir;
vec3 position = geometryPosition;
vec3 lightPos = rectAreaLight.position;
vec3 halfWidth = rectAreaLight.halfWidth;
vec3 halfHeight = rectAreaLight.halfHeight;
vec3 lightColor = rectAreaLight.color;
float roughness = material.roughness;
vec3 rectCoords[ 4 ];
rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
vec2 uv = LTC_Uv(normal,viewDir,roughness);
vec4 t1 = texture2D(ltc_1,uv);
vec4 t2 = texture2D(ltc_2,uv);
mat3 mInv = mat3(
vec3(t1.x,0,t1.y),
vec3(   0,1,   0),
vec3(t1.z,0,t1.w)
);
vec3 fresnel = (material.specularColorBlended * t2.x + (material.specularF90 - material.specularColorBlended) * t2.y);
reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate(normal,viewDir,position,mInv,rectCoords);
reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate(normal,viewDir,position,mat3(1.0),rectCoords);
#ifdef USE_CLEARCOAT
vec3 Ncc = geometryClearcoatNormal;
vec2 uvClearcoat = LTC_Uv(Ncc,viewDir,material.clearcoatRoughness);
vec4 t1Clearcoat = texture2D(ltc_1,uvClearcoat);
vec4 t2Clearcoat = texture2D(ltc_2,uvClearcoat);
mat3 mInvClearcoat = mat3(
vec3(t1Clearcoat.x,0,t1Clearcoat.y),
vec3(            0,1,            0),
vec3(t1Clearcoat.z,0,t1Clearcoat.w)
);
vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + (material.clearcoatF90 - material.clearcoatF0) * t2Clearcoat.y;
clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate(Ncc,viewDir,position,mInvClearcoat,rectCoords);
#endif
}
#endif
void RE_Direct_Physical(const in IncidentLight directLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in PhysicalMaterial material,inout ReflectedLight reflectedLight) {
float dotNL = saturate(dot(geometryNormal,directLight.direction));
vec3 irradiance = dotNL * directLight.color;
#ifdef USE_CLEARCOAT
float dotNLcc = saturate(dot(geometryClearcoatNormal,directLight.direction));
vec3 ccIrradiance = dotNLcc * directLight.color;
clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat(directLight.direction,geometryViewDir,geometryClearcoatNormal,material);
#endif
#ifdef USE_SHEEN
sheenSpecularDirect += irradiance * BRDF_Sheen(directLight.direction,geometryViewDir,geometryNormal,material.sheenColor,material.sheenRoughness);
float sheenAlbedoV = IBLSheenBRDF(geometryNormal,geometryViewDir,material.sheenRoughness);
float sheenAlbedoL = IBLSheenBRDF(geometryNormal,directLight.direction,material.sheenRoughness);
float sheenEnergyComp = 1.0 - max3(material.sheenColor) * max(sheenAlbedoV,sheenAlbedoL);
irradiance *= sheenEnergyComp;
#endif
vec3 specularBRDF = BRDF_GGX(directLight.direction,geometryViewDir,geometryNormal,material);
#ifdef USE_RETROREFLECTION
vec3 retroViewDir = reflect(- geometryViewDir,geometryNormal);
vec3 retroSpecularBRDF = BRDF_GGX(directLight.direction,retroViewDir,geometryNormal,material);
specularBRDF = mix(specularBRDF,retroSpecularBRDF,saturate(material.retroreflectivity));
#endif
reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
vec3 halfDir = normalize(directLight.direction + geometryViewDir);
float dotVH = saturate(dot(geometryViewDir,halfDir));
vec3 F = F_Schlick(material.specularColor,material.specularF90,dotVH);
#ifdef USE_RETROREFLECTION
vec3 retroHalfDir = normalize(directLight.direction + retroViewDir);
float dotRetroVH = saturate(dot(retroViewDir,retroHalfDir));
vec3 retroF = F_Schlick(material.specularColor,material.specularF90,dotRetroVH);
F = mix(F,retroF,saturate(material.retroreflectivity));
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
vec3 diffuseBRDF = BRDF_EON(directLight.direction,geometryViewDir,geometryNormal,material.diffuseColor,material.diffuseRoughness) * (1.0 - material.metalness);
#else
vec3 diffuseBRDF = BRDF_Lambert(material.diffuseContribution);
#endif
reflectedLight.directDiffuse += irradiance * diffuseBRDF * (1.0 - F);
}
void RE_IndirectDiffuse_Physical(const in vec3 irradiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in PhysicalMaterial material,inout ReflectedLight reflectedLight) {
vec3 singleScattering = vec3(0.0);
vec3 multiScattering = vec3(0.0);
#ifdef USE_IRIDESCENCE
computeMultiscatteringIridescence(material.dfg,material.specularColor,material.specularF90,material.iridescence,material.iridescenceF0Dielectric,singleScattering,multiScattering);
#else
computeMultiscattering(material.dfg,material.specularColor,material.specularF90,singleScattering,multiScattering);
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
float dotNV = saturate(dot(geometryNormal,geometryViewDir));
vec3 diffuseAlbedo = EON_DirectionalAlbedo(material.diffuseColor,material.diffuseRoughness,dotNV) * (1.0 - material.metalness);
vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * (1.0 - singleScattering - multiScattering);
#else
vec3 diffuse = irradiance * BRDF_Lambert(material.diffuseContribution) * (1.0 - singleScattering - multiScattering);
#endif
#ifdef USE_SHEEN
float sheenAlbedo = IBLSheenBRDF(geometryNormal,geometryViewDir,material.sheenRoughness);
sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
float sheenEnergyComp = 1.0 - max3(material.sheenColor) * sheenAlbedo;
diffuse *= sheenEnergyComp;
#endif
reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical(const in vec3 radiance,const in vec3 irradiance,const in vec3 clearcoatRadiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in PhysicalMaterial material,inout ReflectedLight reflectedLight) {
#ifdef USE_CLEARCOAT
clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF(geometryClearcoatNormal,geometryViewDir,material.clearcoatF0,material.clearcoatF90,material.clearcoatRoughness);
#endif
#ifdef USE_SHEEN
sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF(geometryNormal,geometryViewDir,material.sheenRoughness) * RECIPROCAL_PI;
#endif
vec3 singleScatteringDielectric = vec3(0.0);
vec3 multiScatteringDielectric = vec3(0.0);
vec3 singleScatteringMetallic = vec3(0.0);
vec3 multiScatteringMetallic = vec3(0.0);
#ifdef USE_IRIDESCENCE
computeMultiscatteringIridescence(material.dfg,material.specularColor,material.specularF90,material.iridescence,material.iridescenceF0Dielectric,singleScatteringDielectric,multiScatteringDielectric);
computeMultiscatteringIridescence(material.dfg,material.diffuseColor,material.specularF90,material.iridescence,material.iridescenceF0Metallic,singleScatteringMetallic,multiScatteringMetallic);
#else
computeMultiscattering(material.dfg,material.specularColor,material.specularF90,singleScatteringDielectric,multiScatteringDielectric);
computeMultiscattering(material.dfg,material.diffuseColor,material.specularF90,singleScatteringMetallic,multiScatteringMetallic);
#endif
vec3 singleScattering = mix(singleScatteringDielectric,singleScatteringMetallic,material.metalness);
vec3 multiScattering = mix(multiScatteringDielectric,multiScatteringMetallic,material.metalness);
vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
#ifdef USE_DIFFUSE_ROUGHNESS
float dotNV = saturate(dot(geometryNormal,geometryViewDir));
vec3 diffuse = EON_DirectionalAlbedo(material.diffuseColor,material.diffuseRoughness,dotNV) * (1.0 - material.metalness) * (1.0 - totalScatteringDielectric);
#else
vec3 diffuse = material.diffuseContribution * (1.0 - totalScatteringDielectric);
#endif
vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
vec3 indirectSpecular = radiance * singleScattering;
indirectSpecular += multiScattering * cosineWeightedIrradiance;
vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
#ifdef USE_SHEEN
float sheenAlbedo = IBLSheenBRDF(geometryNormal,geometryViewDir,material.sheenRoughness);
float sheenEnergyComp = 1.0 - max3(material.sheenColor) * sheenAlbedo;
indirectSpecular *= sheenEnergyComp;
indirectDiffuse *= sheenEnergyComp;
#endif
reflectedLight.indirectSpecular += indirectSpecular;
reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion(const in float dotNV,const in float ambientOcclusion,const in float roughness) {
return saturate(pow(dotNV + ambientOcclusion,exp2(- 16.0 * roughness - 1.0)) - 1.0 + ambientOcclusion);
}`,Bx=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = (isOrthographic) ? vec3(0,0,1) : normalize(vViewPosition);
vec3 geometryClearcoatNormal = vec3(0.0);
#ifdef USE_CLEARCOAT
geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
float dotNVi = saturate(dot(normal,geometryViewDir));
if (material.iridescenceThickness == 0.0) {
material.iridescence = 0.0;
} else {
material.iridescence = saturate(material.iridescence);
}
if (material.iridescence > 0.0) {
vec3 iridescenceFresnelDielectric = evalIridescence(1.0,material.iridescenceIOR,dotNVi,material.iridescenceThickness,material.specularColor);
vec3 iridescenceFresnelMetallic = evalIridescence(1.0,material.iridescenceIOR,dotNVi,material.iridescenceThickness,material.diffuseColor);
material.iridescenceFresnel = mix(iridescenceFresnelDielectric,iridescenceFresnelMetallic,material.metalness);
material.iridescenceF0Dielectric = Schlick_to_F0(iridescenceFresnelDielectric,1.0,dotNVi);
material.iridescenceF0Metallic = Schlick_to_F0(iridescenceFresnelMetallic,1.0,dotNVi);
}
#endif
#ifdef STANDARD
float dotNVms = saturate(dot(geometryNormal,geometryViewDir));
material.dfg = texture2D(dfgLUT,vec2(material.roughness,dotNVms)).rg;
#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
float EssMs = material.dfg.x + material.dfg.y;
material.multiScatteringCompensation = 1.0 + material.specularColorBlended * (1.0 / EssMs - 1.0);
#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
PointLight pointLight;
#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
PointLightShadow pointLightShadow;
#endif
#pragma unroll_loop_start
for (int i = 0; i < NUM_POINT_LIGHTS; i ++) {
pointLight = pointLights[ i ];
getPointLightInfo(pointLight,geometryPosition,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
pointLightShadow = pointLightShadows[ i ];
directLight.color *= (directLight.visible && receiveShadow) ? getPointShadow(pointShadowMap[ i ],pointLightShadow.shadowMapSize,pointLightShadow.shadowIntensity,pointLightShadow.shadowBias,pointLightShadow.shadowRadius,vPointShadowCoord[ i ],pointLightShadow.shadowCameraNear,pointLightShadow.shadowCameraFar) : 1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
SpotLight spotLight;
vec4 spotColor;
vec3 spotLightCoord;
bool inSpotLightMap;
#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
SpotLightShadow spotLightShadow;
#endif
#pragma unroll_loop_start
for (int i = 0; i < NUM_SPOT_LIGHTS; i ++) {
spotLight = spotLights[ i ];
getSpotLightInfo(spotLight,geometryPosition,directLight);
#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
#else
#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
#endif
#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
inSpotLightMap = all(lessThan(abs(spotLightCoord * 2. - 1.),vec3(1.0)));
spotColor = texture2D(spotLightMap[ SPOT_LIGHT_MAP_INDEX ],spotLightCoord.xy);
directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
#endif
#undef SPOT_LIGHT_MAP_INDEX
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
spotLightShadow = spotLightShadows[ i ];
directLight.color *= (directLight.visible && receiveShadow) ? getShadow(spotShadowMap[ i ],spotLightShadow.shadowMapSize,spotLightShadow.shadowIntensity,spotLightShadow.shadowBias,spotLightShadow.shadowRadius,vSpotLightCoord[ i ]) : 1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
SunLight sunLight;
#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
SunLightShadow sunLightShadow;
#endif
#pragma unroll_loop_start
for (int i = 0; i < NUM_SUN_LIGHTS; i ++) {
sunLight = sunLights[ i ];
getSunLightInfo(sunLight,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
sunLightShadow = sunLightShadows[ i ];
directLight.color *= (directLight.visible && receiveShadow) ? getSunShadow(sunShadowMap[ i ],sunLightShadow,UNROLLED_LOOP_INDEX) : 1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
DirectionalLight directionalLight;
#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
DirectionalLightShadow directionalLightShadow;
#endif
#pragma unroll_loop_start
for (int i = 0; i < NUM_DIR_LIGHTS; i ++) {
directionalLight = directionalLights[ i ];
getDirectionalLightInfo(directionalLight,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
directionalLightShadow = directionalLightShadows[ i ];
directLight.color *= (directLight.visible && receiveShadow) ? getShadow(directionalShadowMap[ i ],directionalLightShadow.shadowMapSize,directionalLightShadow.shadowIntensity,directionalLightShadow.shadowBias,directionalLightShadow.shadowRadius,vDirectionalShadowCoord[ i ]) : 1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
RectAreaLight rectAreaLight;
#pragma unroll_loop_start
for (int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++) {
rectAreaLight = rectAreaLights[ i ];
RE_Direct_RectArea(rectAreaLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
vec3 iblIrradiance = vec3(0.0);
vec3 irradiance = getAmbientLightIrradiance(ambientLightColor);
#if defined( USE_LIGHT_PROBES )
irradiance += getLightProbeIrradiance(lightProbe,geometryNormal);
#endif
#if ( NUM_HEMI_LIGHTS > 0 )
#pragma unroll_loop_start
for (int i = 0; i < NUM_HEMI_LIGHTS; i ++) {
irradiance += getHemisphereLightIrradiance(hemisphereLights[ i ],geometryNormal);
}
#pragma unroll_loop_end
#endif
#if NUM_LIGHT_PROBE_GRIDS > 0
vec3 probeWorldPos = ((vec4(geometryPosition,1.0) - viewMatrix[ 3 ]) * viewMatrix).xyz;
vec3 probeWorldNormal = transformNormalByInverseViewMatrix(geometryNormal,viewMatrix);
int probeGrid = - 1;
#pragma unroll_loop_start
for (int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++) {
if (isInsideLightProbeGrid(probeWorldPos,probeWorldNormal,probesMin[ i ],probesMax[ i ],probesResolution[ i ])) probeGrid = UNROLLED_LOOP_INDEX;
}
#pragma unroll_loop_end
#pragma unroll_loop_start
for (int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++) {
if (probeGrid == UNROLLED_LOOP_INDEX) irradiance += getLightProbeGridIrradiance(probesSH[ i ],probesMin[ i ],probesMax[ i ],probesResolution[ i ],probeWorldPos,probeWorldNormal);
}
#pragma unroll_loop_end
#endif
#endif
#if defined( RE_IndirectSpecular )
vec3 radiance = vec3(0.0);
vec3 clearcoatRadiance = vec3(0.0);
#endif`,kx=`#if defined( RE_IndirectDiffuse )
#ifdef USE_LIGHTMAP
vec4 lightMapTexel = texture2D(lightMap,vLightMapUv);
vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
irradiance += lightMapIrradiance;
#endif
#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
iblIrradiance += getIBLIrradiance(geometryNormal);
#endif
#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
#ifdef USE_ANISOTROPY
vec3 iblRadiance = getIBLAnisotropyRadiance(geometryViewDir,geometryNormal,material.roughness,material.anisotropyB,material.anisotropy);
#else
vec3 iblRadiance = getIBLRadiance(geometryViewDir,geometryNormal,material.roughness);
#endif
#ifdef USE_RETROREFLECTION
#ifdef USE_ANISOTROPY
vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance(geometryViewDir,geometryNormal,material.roughness,material.anisotropyB,material.anisotropy);
#else
vec3 retroIBLRadiance = getIBLRetroRadiance(geometryViewDir,geometryNormal,material.roughness);
#endif
iblRadiance = mix(iblRadiance,retroIBLRadiance,saturate(material.retroreflectivity));
#endif
radiance += iblRadiance;
#ifdef USE_CLEARCOAT
clearcoatRadiance += getIBLRadiance(geometryViewDir,geometryClearcoatNormal,material.clearcoatRoughness);
#endif
#endif`,zx=`#if defined( RE_IndirectDiffuse )
#if defined( LAMBERT ) || defined( PHONG )
irradiance += iblIrradiance;
#endif
RE_IndirectDiffuse(irradiance,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
#endif
#if defined( RE_IndirectSpecular )
RE_IndirectSpecular(radiance,iblIrradiance,clearcoatRadiance,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
#endif`,Vx=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid(vec3 worldPos,vec3 worldNormal,vec3 probesMin,vec3 probesMax,vec3 probesResolution) {
vec3 spacing = (probesMax - probesMin) / probesResolution;
vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
vec3 margin = spacing * 0.01;
return all(greaterThanEqual(samplePos,probesMin - margin)) && all(lessThanEqual(samplePos,probesMax + margin));
}
vec3 getLightProbeGridIrradiance(highp sampler3D probesSH,vec3 probesMin,vec3 probesMax,vec3 probesResolution,vec3 worldPos,vec3 worldNormal) {
vec3 res = probesResolution;
vec3 gridRange = probesMax - probesMin;
vec3 probeSpacing = gridRange / res;
vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
vec3 uvw = clamp((samplePos - probesMin) / gridRange,0.5 / res,1.0 - 0.5 / res);
float nz          = res.z;
float paddedSlices = nz + 2.0;
float atlasDepth  = 7.0 * paddedSlices;
float uvZBase     = uvw.z * nz + 1.0;
vec4 s0 = texture(probesSH,vec3(uvw.xy,(uvZBase                      ) / atlasDepth));
vec4 s1 = texture(probesSH,vec3(uvw.xy,(uvZBase +       paddedSlices  ) / atlasDepth));
vec4 s2 = texture(probesSH,vec3(uvw.xy,(uvZBase + 2.0 * paddedSlices  ) / atlasDepth));
vec4 s3 = texture(probesSH,vec3(uvw.xy,(uvZBase + 3.0 * paddedSlices  ) / atlasDepth));
vec4 s4 = texture(probesSH,vec3(uvw.xy,(uvZBase + 4.0 * paddedSlices  ) / atlasDepth));
vec4 s5 = texture(probesSH,vec3(uvw.xy,(uvZBase + 5.0 * paddedSlices  ) / atlasDepth));
vec4 s6 = texture(probesSH,vec3(uvw.xy,(uvZBase + 6.0 * paddedSlices  ) / atlasDepth));
vec3 c0 = s0.xyz;
vec3 c1 = vec3(s0.w,s1.xy);
vec3 c2 = vec3(s1.zw,s2.x);
vec3 c3 = s2.yzw;
vec3 c4 = s3.xyz;
vec3 c5 = vec3(s3.w,s4.xy);
vec3 c6 = vec3(s4.zw,s5.x);
vec3 c7 = s5.yzw;
vec3 c8 = s6.xyz;
float x = worldNormal.x,y = worldNormal.y,z = worldNormal.z;
vec3 result = c0 * 0.886227;
result += c1 * 2.0 * 0.511664 * y;
result += c2 * 2.0 * 0.511664 * z;
result += c3 * 2.0 * 0.511664 * x;
result += c4 * 2.0 * 0.429043 * x * y;
result += c5 * 2.0 * 0.429043 * y * z;
result += c6 * (0.743125 * z * z - 0.247708);
result += c7 * 2.0 * 0.429043 * x * z;
result += c8 * 0.429043 * (x * x - y * y);
return max(result,vec3(0.0));
}
#endif`,Gx=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2(vFragDepth) * logDepthBufFC * 0.5;
#endif`,Hx=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
uniform float logDepthBufFC;
varying float vFragDepth;
varying float vIsPerspective;
#endif`,Wx=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
varying float vFragDepth;
varying float vIsPerspective;
#endif`,Xx=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
vFragDepth = 1.0 + gl_Position.w;
vIsPerspective = float(isPerspectiveMatrix(projectionMatrix));
#endif`,qx=`#ifdef USE_MAP
vec4 sampledDiffuseColor = texture2D(map,vMapUv);
#ifdef DECODE_VIDEO_TEXTURE
sampledDiffuseColor = sRGBTransferEOTF(sampledDiffuseColor);
#endif
diffuseColor *= sampledDiffuseColor;
#endif`,Yx=`#ifdef USE_MAP
uniform sampler2D map;
#endif`,Zx=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
#if defined( USE_POINTS_UV )
vec2 uv = vUv;
#else
vec2 uv = (uvTransform * vec3(gl_PointCoord.x,1.0 - gl_PointCoord.y,1)).xy;
#endif
#endif
#ifdef USE_MAP
diffuseColor *= texture2D(map,uv);
#endif
#ifdef USE_ALPHAMAP
diffuseColor.a *= texture2D(alphaMap,uv).g;
#endif`,$x=`#if defined( USE_POINTS_UV )
varying vec2 vUv;
#else
#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
uniform mat3 uvTransform;
#endif
#endif
#ifdef USE_MAP
uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
uniform sampler2D alphaMap;
#endif`,Jx=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
vec4 texelMetalness = texture2D(metalnessMap,vMetalnessMapUv);
metalnessFactor *= texelMetalness.b;
#endif`,Kx=`#ifdef USE_METALNESSMAP
uniform sampler2D metalnessMap;
#endif`,jx=`#ifdef USE_INSTANCING_MORPH
float morphTargetInfluences[ MORPHTARGETS_COUNT ];
float morphTargetBaseInfluence = texelFetch(morphTexture,ivec2(0,gl_InstanceID),0).r;
for (int i = 0; i < MORPHTARGETS_COUNT; i ++) {
morphTargetInfluences[i] =  texelFetch(morphTexture,ivec2(i + 1,gl_InstanceID),0).r;
}
#endif`,Qx=`#if defined( USE_MORPHCOLORS )
#if defined( USE_COLOR_ALPHA )
vColor *= morphTargetBaseInfluence;
#elif defined( USE_COLOR )
vColor.rgb *= morphTargetBaseInfluence;
#endif
for (int i = 0; i < MORPHTARGETS_COUNT; i ++) {
#if defined( USE_COLOR_ALPHA )
if (morphTargetInfluences[ i ] != 0.0) vColor += getMorph(gl_VertexID,i,2) * morphTargetInfluences[ i ];
#elif defined( USE_COLOR )
if (morphTargetInfluences[ i ] != 0.0) vColor.rgb += getMorph(gl_VertexID,i,2).rgb * morphTargetInfluences[ i ];
#endif
}
#endif`,ty=`#ifdef USE_MORPHNORMALS
objectNormal *= morphTargetBaseInfluence;
for (int i = 0; i < MORPHTARGETS_COUNT; i ++) {
if (morphTargetInfluences[ i ] != 0.0) objectNormal += getMorph(gl_VertexID,i,1).xyz * morphTargetInfluences[ i ];
}
#endif`,ey=`#ifdef USE_MORPHTARGETS
#ifndef USE_INSTANCING_MORPH
uniform float morphTargetBaseInfluence;
uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
#endif
uniform sampler2DArray morphTargetsTexture;
uniform ivec2 morphTargetsTextureSize;
vec4 getMorph(const in int vertexIndex,const in int morphTargetIndex,const in int offset) {
int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
int y = texelIndex / morphTargetsTextureSize.x;
int x = texelIndex - y * morphTargetsTextureSize.x;
ivec3 morphUV = ivec3(x,y,morphTargetIndex);
return texelFetch(morphTargetsTexture,morphUV,0);
}
#endif`,ny=`#ifdef USE_MORPHTARGETS
transformed *= morphTargetBaseInfluence;
for (int i = 0; i < MORPHTARGETS_COUNT; i ++) {
if (morphTargetInfluences[ i ] != 0.0) transformed += getMorph(gl_VertexID,i,0).xyz * morphTargetInfluences[ i ];
}
#endif`,iy=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
vec3 fdx = dFdx(vViewPosition);
vec3 fdy = dFdy(vViewPosition);
vec3 normal = normalize(cross(fdx,fdy));
#else
vec3 normal = normalize(vNormal);
#ifdef DOUBLE_SIDED
normal *= faceDirection;
#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
#ifdef USE_TANGENT
mat3 tbn = mat3(normalize(vTangent),normalize(vBitangent),normal);
#else
mat3 tbn = getTangentFrame(- vViewPosition,normal,
#if defined( USE_NORMALMAP )
vNormalMapUv
#elif defined( USE_CLEARCOAT_NORMALMAP )
vClearcoatNormalMapUv
#else
vUv
#endif
);
#endif
#ifdef DOUBLE_SIDED
tbn[0] *= faceDirection;
tbn[1] *= faceDirection;
#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
#ifdef USE_TANGENT
mat3 tbn2 = mat3(normalize(vTangent),normalize(vBitangent),normal);
#else
mat3 tbn2 = getTangentFrame(- vViewPosition,normal,vClearcoatNormalMapUv);
#endif
#ifdef DOUBLE_SIDED
tbn2[0] *= faceDirection;
tbn2[1] *= faceDirection;
#endif
#endif
vec3 nonPerturbedNormal = normal;`,sy=`#ifdef USE_NORMALMAP_OBJECTSPACE
normal = texture2D(normalMap,vNormalMapUv).xyz * 2.0 - 1.0;
#ifdef FLIP_SIDED
normal = - normal;
#endif
#ifdef DOUBLE_SIDED
normal = normal * faceDirection;
#endif
normal = normalize(normalMatrix * normal);
#elif defined( USE_NORMALMAP_TANGENTSPACE )
vec3 mapN = texture2D(normalMap,vNormalMapUv).xyz * 2.0 - 1.0;
#if defined( USE_PACKED_NORMALMAP )
mapN = vec3(mapN.xy,sqrt(saturate(1.0 - dot(mapN.xy,mapN.xy))));
#endif
mapN.xy *= normalScale;
normal = normalize(tbn * mapN);
#elif defined( USE_BUMPMAP )
normal = perturbNormalArb(- vViewPosition,normal,dHdxy_fwd(),faceDirection);
#endif`,ry=`#ifndef FLAT_SHADED
varying vec3 vNormal;
#ifdef USE_TANGENT
varying vec3 vTangent;
varying vec3 vBitangent;
#endif
#endif`,oy=`#ifndef FLAT_SHADED
varying vec3 vNormal;
#ifdef USE_TANGENT
varying vec3 vTangent;
varying vec3 vBitangent;
#endif
#endif`,ay=`#ifndef FLAT_SHADED
vNormal = normalize(transformedNormal);
#ifdef USE_TANGENT
vTangent = normalize(transformedTangent);
vBitangent = normalize(cross(vNormal,vTangent) * tangent.w);
#ifdef FLIP_SIDED
vBitangent = - vBitangent;
#endif
#endif
#endif`,ly=`#ifdef USE_NORMALMAP
uniform sampler2D normalMap;
uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
mat3 getTangentFrame(vec3 eye_pos,vec3 surf_norm,vec2 uv) {
vec3 q0 = dFdx(eye_pos.xyz);
vec3 q1 = dFdy(eye_pos.xyz);
vec2 st0 = dFdx(uv.st);
vec2 st1 = dFdy(uv.st);
vec3 N = surf_norm;
vec3 q1perp = cross(q1,N);
vec3 q0perp = cross(N,q0);
vec3 T = q1perp * st0.x + q0perp * st1.x;
vec3 B = q1perp * st0.y + q0perp * st1.y;
float det = max(dot(T,T),dot(B,B));
float scale = (det == 0.0) ? 0.0 : inversesqrt(det);
return mat3(T * scale,B * scale,N);
}
#endif`,cy=`#ifdef USE_CLEARCOAT
vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,hy=`#ifdef USE_CLEARCOAT_NORMALMAP
vec3 clearcoatMapN = texture2D(clearcoatNormalMap,vClearcoatNormalMapUv).xyz * 2.0 - 1.0;
clearcoatMapN.xy *= clearcoatNormalScale;
clearcoatNormal = normalize(tbn2 * clearcoatMapN);
#endif`,uy=`#ifdef USE_CLEARCOATMAP
uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
uniform sampler2D clearcoatNormalMap;
uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
uniform sampler2D clearcoatRoughnessMap;
#endif`,fy=`#ifdef USE_IRIDESCENCEMAP
uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
uniform sampler2D iridescenceThicknessMap;
#endif`,dy=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,py=`vec3 packNormalToRGB( const in vec3 normal ) {
return normalize(normal) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal(const in vec3 rgb) {
return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4(1.0,256.0,256.0 * 256.0,256.0 * 256.0 * 256.0);
const vec2 UnpackFactors2 = vec2(UnpackDownscale,1.0 / PackFactors.g);
const vec3 UnpackFactors3 = vec3(UnpackDownscale / PackFactors.rg,1.0 / PackFactors.b);
const vec4 UnpackFactors4 = vec4(UnpackDownscale / PackFactors.rgb,1.0 / PackFactors.a);
vec4 packDepthToRGBA(const in float v) {
if(v <= 0.0)
return vec4(0.,0.,0.,0.);
if(v >= 1.0)
return vec4(1.,1.,1.,1.);
float vuf;
float af = modf(v * PackFactors.a,vuf);
float bf = modf(vuf * ShiftRight8,vuf);
float gf = modf(vuf * ShiftRight8,vuf);
return vec4(vuf * Inv255,gf * PackUpscale,bf * PackUpscale,af);
}
vec3 packDepthToRGB(const in float v) {
if(v <= 0.0)
return vec3(0.,0.,0.);
if(v >= 1.0)
return vec3(1.,1.,1.);
float vuf;
float bf = modf(v * PackFactors.b,vuf);
float gf = modf(vuf * ShiftRight8,vuf);
return vec3(vuf * Inv255,gf * PackUpscale,bf);
}
vec2 packDepthToRG(const in float v) {
if(v <= 0.0)
return vec2(0.,0.);
if(v >= 1.0)
return vec2(1.,1.);
float vuf;
float gf = modf(v * 256.,vuf);
return vec2(vuf * Inv255,gf);
}
float unpackRGBAToDepth(const in vec4 v) {
return dot(v,UnpackFactors4);
}
float unpackRGBToDepth(const in vec3 v) {
return dot(v,UnpackFactors3);
}
float unpackRGToDepth(const in vec2 v) {
return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA(const in vec2 v) {
vec4 r = vec4(v.x,fract(v.x * 255.0),v.y,fract(v.y * 255.0));
return vec4(r.x - r.y / 255.0,r.y,r.z - r.w / 255.0,r.w);
}
vec2 unpackRGBATo2Half(const in vec4 v) {
return vec2(v.x + (v.y / 255.0),v.z + (v.w / 255.0));
}
float viewZToOrthographicDepth(const in float viewZ,const in float near,const in float far) {
return (viewZ + near) / (near - far);
}
float orthographicDepthToViewZ(const in float depth,const in float near,const in float far) {
#ifdef USE_REVERSED_DEPTH_BUFFER
return depth * (far - near) - far;
#else
return depth * (near - far) - near;
#endif
}
float viewZToPerspectiveDepth(const in float viewZ,const in float near,const in float far) {
return ((near + viewZ) * far) / ((far - near) * viewZ);
}
float perspectiveDepthToViewZ(const in float depth,const in float near,const in float far) {
#ifdef USE_REVERSED_DEPTH_BUFFER
return (near * far) / ((near - far) * depth - near);
#else
return (near * far) / ((far - near) * depth - far);
#endif
}`,my=`#ifdef PREMULTIPLIED_ALPHA
gl_FragColor.rgb *= gl_FragColor.a;
#endif`,gy=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,_y=`#ifdef DITHERING
gl_FragColor.rgb = dithering(gl_FragColor.rgb);
#endif`,xy=`#ifdef DITHERING
vec3 dithering(vec3 color) {
float grid_position = rand(gl_FragCoord.xy);
vec3 dither_shift_RGB = vec3(0.25 / 255.0,-0.25 / 255.0,0.25 / 255.0);
dither_shift_RGB = mix(2.0 * dither_shift_RGB,-2.0 * dither_shift_RGB,grid_position);
return color + dither_shift_RGB;
}
#endif`,yy=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
vec4 texelRoughness = texture2D(roughnessMap,vRoughnessMapUv);
roughnessFactor *= texelRoughness.g;
#endif`,vy=`#ifdef USE_ROUGHNESSMAP
uniform sampler2D roughnessMap;
#endif`,Sy=`#if NUM_SPOT_LIGHT_COORDS > 0
varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
#define SUN_LIGHT_CASCADES 2
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
#else
uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
#endif
uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
varying vec4 vSunShadowWorldPosition;
varying vec3 vSunShadowWorldNormal;
struct SunLightShadow {
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
#else
uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
#endif
varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
struct DirectionalLightShadow {
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
#else
uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
#endif
struct SpotLightShadow {
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
#elif defined( SHADOWMAP_TYPE_BASIC )
uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
#endif
varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
struct PointLightShadow {
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
float shadowCameraNear;
float shadowCameraFar;
};
uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
#endif
#if defined( SHADOWMAP_TYPE_PCF )
float interleavedGradientNoise(vec2 position) {
return fract(52.9829189 * fract(dot(position,vec2(0.06711056,0.00583715))));
}
vec2 vogelDiskSample(int sampleIndex,int samplesCount,float phi) {
const float goldenAngle = 2.399963229728653;
float r = sqrt((float(sampleIndex) + 0.5) / float(samplesCount));
float theta = float(sampleIndex) * goldenAngle + phi;
return vec2(cos(theta),sin(theta)) * r;
}
#endif
#if defined( SHADOWMAP_TYPE_PCF )
float getShadow(sampler2DShadow shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord) {
float shadow = 1.0;
shadowCoord.xyz /= shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z -= shadowBias;
#else
shadowCoord.z += shadowBias;
#endif
bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
if (frustumTest) {
vec2 texelSize = vec2(1.0) / shadowMapSize;
vec2 radius = shadowRadius * texelSize;
float phi = interleavedGradientNoise(gl_FragCoord.xy) * PI2;
shadow = (
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(0,5,phi) * radius,shadowCoord.z)) +
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(1,5,phi) * radius,shadowCoord.z)) +
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(2,5,phi) * radius,shadowCoord.z)) +
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(3,5,phi) * radius,shadowCoord.z)) +
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(4,5,phi) * radius,shadowCoord.z))
) * 0.2;
}
return mix(1.0,shadow,shadowIntensity);
}
#elif defined( SHADOWMAP_TYPE_VSM )
float getShadow(sampler2D shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord) {
float shadow = 1.0;
shadowCoord.xyz /= shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z -= shadowBias;
#else
shadowCoord.z += shadowBias;
#endif
bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
if (frustumTest) {
vec2 distribution = texture2D(shadowMap,shadowCoord.xy).rg;
float mean = distribution.x;
float variance = distribution.y * distribution.y;
#ifdef USE_REVERSED_DEPTH_BUFFER
float hard_shadow = step(mean,shadowCoord.z);
#else
float hard_shadow = step(shadowCoord.z,mean);
#endif
if (hard_shadow == 1.0) {
shadow = 1.0;
} else {
variance = max(variance,0.0000001);
float d = shadowCoord.z - mean;
float p_max = variance / (variance + d * d);
p_max = clamp((p_max - 0.3) / 0.65,0.0,1.0);
shadow = max(hard_shadow,p_max);
}
}
return mix(1.0,shadow,shadowIntensity);
}
#else
float getShadow(sampler2D shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord) {
float shadow = 1.0;
shadowCoord.xyz /= shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z -= shadowBias;
#else
shadowCoord.z += shadowBias;
#endif
bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
if (frustumTest) {
float depth = texture2D(shadowMap,shadowCoord.xy).r;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadow = step(depth,shadowCoord.z);
#else
shadow = step(shadowCoord.z,depth);
#endif
}
return mix(1.0,shadow,shadowIntensity);
}
#endif
#if NUM_SUN_LIGHT_SHADOWS > 0
float getSunShadow(
#if defined( SHADOWMAP_TYPE_PCF )
sampler2DShadow shadowMap,
#else
sampler2D shadowMap,
#endif
SunLightShadow sunLightShadow,
int shadowIndex
) {
vec4 shadowWorldPosition = vec4(vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias,1.0);
float viewDepth = vSunShadowWorldPosition.w;
int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
float shadow = 1.0;
for (int i = SUN_LIGHT_CASCADES - 1; i >= 0; i --) {
vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
if (viewDepth >= cascade.x && viewDepth < cascade.y) {
float cascadeShadow = getShadow(
shadowMap,
sunLightShadow.shadowMapSize,
sunLightShadow.shadowIntensity,
sunLightShadow.shadowBias,
sunLightShadow.shadowRadius,
sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
);
shadow = mix(cascadeShadow,shadow,smoothstep(cascade.z,cascade.y,viewDepth));
}
}
return shadow;
}
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
float getPointShadow(samplerCubeShadow shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord,float shadowCameraNear,float shadowCameraFar) {
float shadow = 1.0;
vec3 lightToPosition = shadowCoord.xyz;
vec3 bd3D = normalize(lightToPosition);
vec3 absVec = abs(lightToPosition);
float viewSpaceZ = max(max(absVec.x,absVec.y),absVec.z);
if (viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0) {
float lightDistance = length(lightToPosition);
float depthRange = shadowCameraFar - shadowCameraNear;
#ifdef USE_REVERSED_DEPTH_BUFFER
float depthA = - shadowCameraNear / depthRange - shadowBias;
float depthB = shadowCameraNear * shadowCameraFar / (depthRange * lightDistance);
#else
float depthA = shadowCameraFar / depthRange + shadowBias;
float depthB = - shadowCameraNear * shadowCameraFar / (depthRange * lightDistance);
#endif
float texelSize = shadowRadius / shadowMapSize.x;
vec3 absDir = abs(bd3D);
vec3 tangent = absDir.x > absDir.z ? vec3(0.0,1.0,0.0) : vec3(1.0,0.0,0.0);
tangent = normalize(cross(bd3D,tangent));
vec3 bitangent = cross(bd3D,tangent);
float phi = interleavedGradientNoise(gl_FragCoord.xy) * PI2;
shadow = 0.0;
for (int i = 0; i < 5; i ++) {
vec2 offset = vogelDiskSample(i,5,phi);
vec3 direction = bd3D + (tangent * offset.x + bitangent * offset.y) * texelSize;
vec3 absDirection = abs(direction);
float dp = depthA + depthB / max(max(absDirection.x,absDirection.y),absDirection.z);
shadow += texture(shadowMap,vec4(direction,dp));
}
shadow *= 0.2;
}
return mix(1.0,shadow,shadowIntensity);
}
#elif defined( SHADOWMAP_TYPE_BASIC )
float getPointShadow(samplerCube shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord,float shadowCameraNear,float shadowCameraFar) {
float shadow = 1.0;
vec3 lightToPosition = shadowCoord.xyz;
vec3 absVec = abs(lightToPosition);
float viewSpaceZ = max(max(absVec.x,absVec.y),absVec.z);
if (viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0) {
float dp = (shadowCameraFar * (viewSpaceZ - shadowCameraNear)) / (viewSpaceZ * (shadowCameraFar - shadowCameraNear));
dp += shadowBias;
vec3 bd3D = normalize(lightToPosition);
float depth = textureCube(shadowMap,bd3D).r;
#ifdef USE_REVERSED_DEPTH_BUFFER
depth = 1.0 - depth;
#endif
shadow = step(dp,depth);
}
return mix(1.0,shadow,shadowIntensity);
}
#endif
#endif
#endif`,My=`#if NUM_SPOT_LIGHT_COORDS > 0
uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
varying vec4 vSunShadowWorldPosition;
varying vec3 vSunShadowWorldNormal;
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
struct DirectionalLightShadow {
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
struct SpotLightShadow {
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
struct PointLightShadow {
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
float shadowCameraNear;
float shadowCameraFar;
};
uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
#endif
#endif`,by=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
#ifdef HAS_NORMAL
vec3 shadowWorldNormal = transformNormalByInverseViewMatrix(transformedNormal,viewMatrix);
#else
vec3 shadowWorldNormal = vec3(0.0);
#endif
vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
#if NUM_SUN_LIGHT_SHADOWS > 0
vSunShadowWorldPosition = vec4(worldPosition.xyz,- mvPosition.z);
vSunShadowWorldNormal = shadowWorldNormal;
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
#pragma unroll_loop_start
for (int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++) {
shadowWorldPosition = worldPosition + vec4(shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias,0);
vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
}
#pragma unroll_loop_end
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#pragma unroll_loop_start
for (int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++) {
shadowWorldPosition = worldPosition + vec4(shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias,0);
vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
}
#pragma unroll_loop_end
#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
#pragma unroll_loop_start
for (int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++) {
shadowWorldPosition = worldPosition;
#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
#endif
vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
}
#pragma unroll_loop_end
#endif`,wy=`float getShadowMask() {
float shadow = 1.0;
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
SunLightShadow sunLight;
#pragma unroll_loop_start
for (int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++) {
sunLight = sunLightShadows[ i ];
shadow *= receiveShadow ? getSunShadow(sunShadowMap[ i ],sunLight,UNROLLED_LOOP_INDEX) : 1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
DirectionalLightShadow directionalLight;
#pragma unroll_loop_start
for (int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++) {
directionalLight = directionalLightShadows[ i ];
shadow *= receiveShadow ? getShadow(directionalShadowMap[ i ],directionalLight.shadowMapSize,directionalLight.shadowIntensity,directionalLight.shadowBias,directionalLight.shadowRadius,vDirectionalShadowCoord[ i ]) : 1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
SpotLightShadow spotLight;
#pragma unroll_loop_start
for (int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++) {
spotLight = spotLightShadows[ i ];
shadow *= receiveShadow ? getShadow(spotShadowMap[ i ],spotLight.shadowMapSize,spotLight.shadowIntensity,spotLight.shadowBias,spotLight.shadowRadius,vSpotLightCoord[ i ]) : 1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
PointLightShadow pointLight;
#pragma unroll_loop_start
for (int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++) {
pointLight = pointLightShadows[ i ];
shadow *= receiveShadow ? getPointShadow(pointShadowMap[ i ],pointLight.shadowMapSize,pointLight.shadowIntensity,pointLight.shadowBias,pointLight.shadowRadius,vPointShadowCoord[ i ],pointLight.shadowCameraNear,pointLight.shadowCameraFar) : 1.0;
}
#pragma unroll_loop_end
#endif
#endif
return shadow;
}`,Ey=`#ifdef USE_SKINNING
mat4 boneMatX = getBoneMatrix(skinIndex.x);
mat4 boneMatY = getBoneMatrix(skinIndex.y);
mat4 boneMatZ = getBoneMatrix(skinIndex.z);
mat4 boneMatW = getBoneMatrix(skinIndex.w);
#endif`,Ty=`#ifdef USE_SKINNING
uniform mat4 bindMatrix;
uniform mat4 bindMatrixInverse;
uniform highp sampler2D boneTexture;
mat4 getBoneMatrix(const in float i) {
int size = textureSize(boneTexture,0).x;
int j = int(i) * 4;
int x = j % size;
int y = j / size;
vec4 v1 = texelFetch(boneTexture,ivec2(x,y),0);
vec4 v2 = texelFetch(boneTexture,ivec2(x + 1,y),0);
vec4 v3 = texelFetch(boneTexture,ivec2(x + 2,y),0);
vec4 v4 = texelFetch(boneTexture,ivec2(x + 3,y),0);
return mat4(v1,v2,v3,v4);
}
#endif`,Ay=`#ifdef USE_SKINNING
vec4 skinVertex = bindMatrix * vec4(transformed,1.0);
vec4 skinned = vec4(0.0);
skinned += boneMatX * skinVertex * skinWeight.x;
skinned += boneMatY * skinVertex * skinWeight.y;
skinned += boneMatZ * skinVertex * skinWeight.z;
skinned += boneMatW * skinVertex * skinWeight.w;
transformed = (bindMatrixInverse * skinned).xyz;
#endif`,Ry=`#ifdef USE_SKINNING
mat4 skinMatrix = mat4(0.0);
skinMatrix += skinWeight.x * boneMatX;
skinMatrix += skinWeight.y * boneMatY;
skinMatrix += skinWeight.z * boneMatZ;
skinMatrix += skinWeight.w * boneMatW;
skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
objectNormal = vec4(skinMatrix * vec4(objectNormal,0.0)).xyz;
#ifdef USE_TANGENT
objectTangent = vec4(skinMatrix * vec4(objectTangent,0.0)).xyz;
#endif
#endif`,Cy=`float specularStrength;
#ifdef USE_SPECULARMAP
vec4 texelSpecular = texture2D(specularMap,vSpecularMapUv);
specularStrength = texelSpecular.r;
#else
specularStrength = 1.0;
#endif`,Py=`#ifdef USE_SPECULARMAP
uniform sampler2D specularMap;
#endif`,Iy=`#if defined( TONE_MAPPING )
gl_FragColor.rgb = toneMapping(gl_FragColor.rgb);
#endif`,Ly=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping(vec3 color) {
return saturate(toneMappingExposure * color);
}
vec3 ReinhardToneMapping(vec3 color) {
color *= toneMappingExposure;
return saturate(color / (vec3(1.0) + color));
}
vec3 CineonToneMapping(vec3 color) {
color *= toneMappingExposure;
color = max(vec3(0.0),color - 0.004);
return pow((color * (6.2 * color + 0.5)) / (color * (6.2 * color + 1.7) + 0.06),vec3(2.2));
}
vec3 RRTAndODTFit(vec3 v) {
vec3 a = v * (v + 0.0245786) - 0.000090537;
vec3 b = v * (0.983729 * v + 0.4329510) + 0.238081;
return a / b;
}
vec3 ACESFilmicToneMapping(vec3 color) {
const mat3 ACESInputMat = mat3(
vec3(0.59719,0.07600,0.02840),		vec3(0.35458,0.90834,0.13383),
vec3(0.04823,0.01566,0.83777)
);
const mat3 ACESOutputMat = mat3(
vec3( 1.60475,-0.10208,-0.00327),		vec3(-0.53108, 1.10813,-0.07276),
vec3(-0.07367,-0.00605, 1.07602)
);
color *= toneMappingExposure / 0.6;
color = ACESInputMat * color;
color = RRTAndODTFit(color);
color = ACESOutputMat * color;
return saturate(color);
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
vec3(1.6605,- 0.1246,- 0.0182),
vec3(- 0.5876,1.1329,- 0.1006),
vec3(- 0.0728,- 0.0083,1.1187)
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
vec3(0.6274,0.0691,0.0164),
vec3(0.3293,0.9195,0.0880),
vec3(0.0433,0.0113,0.8956)
);
vec3 agxDefaultContrastApprox(vec3 x) {
vec3 x2 = x * x;
vec3 x4 = x2 * x2;
return + 15.5 * x4 * x2
- 40.14 * x4 * x
+ 31.96 * x4
- 6.868 * x2 * x
+ 0.4298 * x2
+ 0.1191 * x
- 0.00232;
}
vec3 AgXToneMapping(vec3 color) {
const mat3 AgXInsetMatrix = mat3(
vec3(0.856627153315983,0.137318972929847,0.11189821299995),
vec3(0.0951212405381588,0.761241990602591,0.0767994186031903),
vec3(0.0482516061458583,0.101439036467562,0.811302368396859)
);
const mat3 AgXOutsetMatrix = mat3(
vec3(1.1271005818144368,- 0.1413297634984383,- 0.14132976349843826),
vec3(- 0.11060664309660323,1.157823702216272,- 0.11060664309660294),
vec3(- 0.016493938717834573,- 0.016493938717834257,1.2519364065950405)
);
const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
color *= toneMappingExposure;
color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
color = AgXInsetMatrix * color;
color = max(color,1e-10);	color = log2(color);
color = (color - AgxMinEv) / (AgxMaxEv - AgxMinEv);
color = clamp(color,0.0,1.0);
color = agxDefaultContrastApprox(color);
color = AgXOutsetMatrix * color;
color = pow(max(vec3(0.0),color),vec3(2.2));
color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
color = clamp(color,0.0,1.0);
return color;
}
vec3 NeutralToneMapping(vec3 color) {
const float StartCompression = 0.8 - 0.04;
const float Desaturation = 0.15;
color *= toneMappingExposure;
float x = min(color.r,min(color.g,color.b));
float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
color -= offset;
float peak = max(color.r,max(color.g,color.b));
if (peak < StartCompression) return color;
float d = 1. - StartCompression;
float newPeak = 1. - d * d / (peak + d - StartCompression);
color *= newPeak / peak;
float g = 1. - 1. / (Desaturation * (peak - newPeak) + 1.);
return mix(color,vec3(newPeak),g);
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,Dy=`#ifdef USE_TRANSMISSION
material.transmission = transmission;
material.transmissionAlpha = 1.0;
material.thickness = thickness;
material.attenuationDistance = attenuationDistance;
material.attenuationColor = attenuationColor;
#ifdef USE_TRANSMISSIONMAP
material.transmission *= texture2D(transmissionMap,vTransmissionMapUv).r;
#endif
#ifdef USE_THICKNESSMAP
material.thickness *= texture2D(thicknessMap,vThicknessMapUv).g;
#endif
vec3 pos = vWorldPosition;
vec3 v = normalize(cameraPosition - pos);
vec3 n = transformNormalByInverseViewMatrix(normal,viewMatrix);
vec4 transmitted = getIBLVolumeRefraction(
n,v,material.roughness,material.diffuseContribution,material.specularColorBlended,material.specularF90,
pos,modelMatrix,viewMatrix,projectionMatrix,material.dispersion,material.ior,material.thickness,
material.attenuationColor,material.attenuationDistance);
material.transmissionAlpha = mix(material.transmissionAlpha,transmitted.a,material.transmission);
totalDiffuse = mix(totalDiffuse,transmitted.rgb,material.transmission);
#endif`,Ny=`#ifdef USE_TRANSMISSION
uniform float transmission;
uniform float thickness;
uniform float attenuationDistance;
uniform vec3 attenuationColor;
#ifdef USE_TRANSMISSIONMAP
uniform sampler2D transmissionMap;
#endif
#ifdef USE_THICKNESSMAP
uniform sampler2D thicknessMap;
#endif
uniform vec2 transmissionSamplerSize;
uniform sampler2D transmissionSamplerMap;
uniform mat4 modelMatrix;
uniform mat4 projectionMatrix;
varying vec3 vWorldPosition;
float w0(float a) {
return (1.0 / 6.0) * (a * (a * (- a + 3.0) - 3.0) + 1.0);
}
float w1(float a) {
return (1.0 / 6.0) * (a *  a * (3.0 * a - 6.0) + 4.0);
}
float w2(float a){
return (1.0 / 6.0) * (a * (a * (- 3.0 * a + 3.0) + 3.0) + 1.0);
}
float w3(float a) {
return (1.0 / 6.0) * (a * a * a);
}
float g0(float a) {
return w0(a) + w1(a);
}
float g1(float a) {
return w2(a) + w3(a);
}
float h0(float a) {
return - 1.0 + w1(a) / (w0(a) + w1(a));
}
float h1(float a) {
return 1.0 + w3(a) / (w2(a) + w3(a));
}
vec4 bicubic(sampler2D tex,vec2 uv,vec4 texelSize,float lod) {
uv = uv * texelSize.zw + 0.5;
vec2 iuv = floor(uv);
vec2 fuv = fract(uv);
float g0x = g0(fuv.x);
float g1x = g1(fuv.x);
float h0x = h0(fuv.x);
float h1x = h1(fuv.x);
float h0y = h0(fuv.y);
float h1y = h1(fuv.y);
vec2 p0 = (vec2(iuv.x + h0x,iuv.y + h0y) - 0.5) * texelSize.xy;
vec2 p1 = (vec2(iuv.x + h1x,iuv.y + h0y) - 0.5) * texelSize.xy;
vec2 p2 = (vec2(iuv.x + h0x,iuv.y + h1y) - 0.5) * texelSize.xy;
vec2 p3 = (vec2(iuv.x + h1x,iuv.y + h1y) - 0.5) * texelSize.xy;
return g0(fuv.y) * (g0x * textureLod(tex,p0,lod) + g1x * textureLod(tex,p1,lod)) +
g1(fuv.y) * (g0x * textureLod(tex,p2,lod) + g1x * textureLod(tex,p3,lod));
}
vec4 textureBicubic(sampler2D sampler,vec2 uv,float lod) {
vec2 fLodSize = vec2(textureSize(sampler,int(lod)));
vec2 cLodSize = vec2(textureSize(sampler,int(lod + 1.0)));
vec2 fLodSizeInv = 1.0 / fLodSize;
vec2 cLodSizeInv = 1.0 / cLodSize;
vec4 fSample = bicubic(sampler,uv,vec4(fLodSizeInv,fLodSize),floor(lod));
vec4 cSample = bicubic(sampler,uv,vec4(cLodSizeInv,cLodSize),ceil(lod));
return mix(fSample,cSample,fract(lod));
}
vec3 getVolumeTransmissionRay(const in vec3 n,const in vec3 v,const in float thickness,const in float ior,const in mat4 modelMatrix) {
vec3 refractionVector = refract(- v,normalize(n),1.0 / ior);
vec3 modelScale;
modelScale.x = length(vec3(modelMatrix[ 0 ].xyz));
modelScale.y = length(vec3(modelMatrix[ 1 ].xyz));
modelScale.z = length(vec3(modelMatrix[ 2 ].xyz));
return normalize(refractionVector) * thickness * modelScale;
}
float applyIorToRoughness(const in float roughness,const in float ior) {
return roughness * clamp(ior * 2.0 - 2.0,0.0,1.0);
}
vec4 getTransmissionSample(const in vec2 fragCoord,const in float roughness,const in float ior) {
float lod = log2(transmissionSamplerSize.x) * applyIorToRoughness(roughness,ior);
return textureBicubic(transmissionSamplerMap,fragCoord.xy,lod);
}
vec3 volumeAttenuation(const in float transmissionDistance,const in vec3 attenuationColor,const in float attenuationDistance) {
if (isinf(attenuationDistance)) {
return vec3(1.0);
} else {
vec3 attenuationCoefficient = -log(attenuationColor) / attenuationDistance;
vec3 transmittance = exp(- attenuationCoefficient * transmissionDistance);			return transmittance;
}
}
vec4 getIBLVolumeRefraction(const in vec3 n,const in vec3 v,const in float roughness,const in vec3 diffuseColor,
const in vec3 specularColor,const in float specularF90,const in vec3 position,const in mat4 modelMatrix,
const in mat4 viewMatrix,const in mat4 projMatrix,const in float dispersion,const in float ior,const in float thickness,
const in vec3 attenuationColor,const in float attenuationDistance) {
vec4 transmittedLight;
vec3 transmittance;
#ifdef USE_DISPERSION
float halfSpread = (ior - 1.0) * 0.025 * dispersion;
vec3 iors = vec3(ior - halfSpread,ior,ior + halfSpread);
for (int i = 0; i < 3; i ++) {
vec3 transmissionRay = getVolumeTransmissionRay(n,v,thickness,iors[ i ],modelMatrix);
vec3 refractedRayExit = position + transmissionRay;
vec4 ndcPos = projMatrix * viewMatrix * vec4(refractedRayExit,1.0);
vec2 refractionCoords = ndcPos.xy / ndcPos.w;
refractionCoords += 1.0;
refractionCoords /= 2.0;
vec4 transmissionSample = getTransmissionSample(refractionCoords,roughness,iors[ i ]);
transmittedLight[ i ] = transmissionSample[ i ];
transmittedLight.a += transmissionSample.a;
transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation(length(transmissionRay),attenuationColor,attenuationDistance)[ i ];
}
transmittedLight.a /= 3.0;
#else
vec3 transmissionRay = getVolumeTransmissionRay(n,v,thickness,ior,modelMatrix);
vec3 refractedRayExit = position + transmissionRay;
vec4 ndcPos = projMatrix * viewMatrix * vec4(refractedRayExit,1.0);
vec2 refractionCoords = ndcPos.xy / ndcPos.w;
refractionCoords += 1.0;
refractionCoords /= 2.0;
transmittedLight = getTransmissionSample(refractionCoords,roughness,ior);
transmittance = diffuseColor * volumeAttenuation(length(transmissionRay),attenuationColor,attenuationDistance);
#endif
vec3 attenuatedColor = transmittance * transmittedLight.rgb;
vec3 F = EnvironmentBRDF(n,v,specularColor,specularF90,roughness);
float transmittanceFactor = (transmittance.r + transmittance.g + transmittance.b) / 3.0;
return vec4((1.0 - F) * attenuatedColor,1.0 - (1.0 - transmittedLight.a) * transmittanceFactor);
}
#endif`,Uy=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
varying vec2 vUv;
#endif
#ifdef USE_MAP
varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
uniform mat3 transmissionMapTransform;
varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
uniform mat3 thicknessMapTransform;
varying vec2 vThicknessMapUv;
#endif`,Fy=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
varying vec2 vUv;
#endif
#ifdef USE_MAP
uniform mat3 mapTransform;
varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
uniform mat3 alphaMapTransform;
varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
uniform mat3 lightMapTransform;
varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
uniform mat3 aoMapTransform;
varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
uniform mat3 bumpMapTransform;
varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
uniform mat3 normalMapTransform;
varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
uniform mat3 displacementMapTransform;
varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
uniform mat3 emissiveMapTransform;
varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
uniform mat3 metalnessMapTransform;
varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
uniform mat3 roughnessMapTransform;
varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
uniform mat3 diffuseRoughnessMapTransform;
varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
uniform mat3 anisotropyMapTransform;
varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
uniform mat3 clearcoatMapTransform;
varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
uniform mat3 clearcoatNormalMapTransform;
varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
uniform mat3 clearcoatRoughnessMapTransform;
varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
uniform mat3 sheenColorMapTransform;
varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
uniform mat3 sheenRoughnessMapTransform;
varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
uniform mat3 iridescenceMapTransform;
varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
uniform mat3 iridescenceThicknessMapTransform;
varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
uniform mat3 specularMapTransform;
varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
uniform mat3 specularColorMapTransform;
varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
uniform mat3 specularIntensityMapTransform;
varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
uniform mat3 transmissionMapTransform;
varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
uniform mat3 thicknessMapTransform;
varying vec2 vThicknessMapUv;
#endif`,Oy=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
vUv = vec3(uv,1).xy;
#endif
#ifdef USE_MAP
vMapUv = (mapTransform * vec3(MAP_UV,1)).xy;
#endif
#ifdef USE_ALPHAMAP
vAlphaMapUv = (alphaMapTransform * vec3(ALPHAMAP_UV,1)).xy;
#endif
#ifdef USE_LIGHTMAP
vLightMapUv = (lightMapTransform * vec3(LIGHTMAP_UV,1)).xy;
#endif
#ifdef USE_AOMAP
vAoMapUv = (aoMapTransform * vec3(AOMAP_UV,1)).xy;
#endif
#ifdef USE_BUMPMAP
vBumpMapUv = (bumpMapTransform * vec3(BUMPMAP_UV,1)).xy;
#endif
#ifdef USE_NORMALMAP
vNormalMapUv = (normalMapTransform * vec3(NORMALMAP_UV,1)).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
vDisplacementMapUv = (displacementMapTransform * vec3(DISPLACEMENTMAP_UV,1)).xy;
#endif
#ifdef USE_EMISSIVEMAP
vEmissiveMapUv = (emissiveMapTransform * vec3(EMISSIVEMAP_UV,1)).xy;
#endif
#ifdef USE_METALNESSMAP
vMetalnessMapUv = (metalnessMapTransform * vec3(METALNESSMAP_UV,1)).xy;
#endif
#ifdef USE_ROUGHNESSMAP
vRoughnessMapUv = (roughnessMapTransform * vec3(ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
vDiffuseRoughnessMapUv = (diffuseRoughnessMapTransform * vec3(DIFFUSE_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_ANISOTROPYMAP
vAnisotropyMapUv = (anisotropyMapTransform * vec3(ANISOTROPYMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOATMAP
vClearcoatMapUv = (clearcoatMapTransform * vec3(CLEARCOATMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
vClearcoatNormalMapUv = (clearcoatNormalMapTransform * vec3(CLEARCOAT_NORMALMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
vClearcoatRoughnessMapUv = (clearcoatRoughnessMapTransform * vec3(CLEARCOAT_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
vIridescenceMapUv = (iridescenceMapTransform * vec3(IRIDESCENCEMAP_UV,1)).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
vIridescenceThicknessMapUv = (iridescenceThicknessMapTransform * vec3(IRIDESCENCE_THICKNESSMAP_UV,1)).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
vSheenColorMapUv = (sheenColorMapTransform * vec3(SHEEN_COLORMAP_UV,1)).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
vSheenRoughnessMapUv = (sheenRoughnessMapTransform * vec3(SHEEN_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULARMAP
vSpecularMapUv = (specularMapTransform * vec3(SPECULARMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
vSpecularColorMapUv = (specularColorMapTransform * vec3(SPECULAR_COLORMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
vSpecularIntensityMapUv = (specularIntensityMapTransform * vec3(SPECULAR_INTENSITYMAP_UV,1)).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
vTransmissionMapUv = (transmissionMapTransform * vec3(TRANSMISSIONMAP_UV,1)).xy;
#endif
#ifdef USE_THICKNESSMAP
vThicknessMapUv = (thicknessMapTransform * vec3(THICKNESSMAP_UV,1)).xy;
#endif`,By=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
vec4 worldPosition = vec4(transformed,1.0);
#ifdef USE_BATCHING
worldPosition = batchingMatrix * worldPosition;
#endif
#ifdef USE_INSTANCING
worldPosition = instanceMatrix * worldPosition;
#endif
worldPosition = modelMatrix * worldPosition;
#endif`,ky=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
vUv = (uvTransform * vec3(uv,1)).xy;
gl_Position = vec4(position.xy,1.0,1.0);
}`,zy=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
vec4 texColor = texture2D(t2D,vUv);
#ifdef DECODE_VIDEO_TEXTURE
texColor = vec4(mix(pow(texColor.rgb * 0.9478672986 + vec3(0.0521327014),vec3(2.4)),texColor.rgb * 0.0773993808,vec3(lessThanEqual(texColor.rgb,vec3(0.04045)))),texColor.w);
#endif
texColor.rgb *= backgroundIntensity;
gl_FragColor = texColor;
#include <tonemapping_fragment>
#include <colorspace_fragment>
}`,Vy=`varying vec3 vWorldDirection;
#include <common>
void main() {
vWorldDirection = transformDirection(position,modelMatrix);
#include <begin_vertex>
#include <project_vertex>
gl_Position.z = gl_Position.w;
}`,Gy=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
#ifdef ENVMAP_TYPE_PMREM
vec4 texColor = textureLod(envMap,backgroundRotation * vWorldDirection,roughnessToMip(backgroundBlurriness));
#else
vec4 texColor = textureCube(envMap,backgroundRotation * vWorldDirection);
#endif
texColor.rgb *= backgroundIntensity;
gl_FragColor = texColor;
#include <tonemapping_fragment>
#include <colorspace_fragment>
}`,Hy=`varying vec3 vWorldDirection;
#include <common>
void main() {
vWorldDirection = transformDirection(position,modelMatrix);
#include <begin_vertex>
#include <project_vertex>
gl_Position.z = gl_Position.w;
}`,Wy=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
vec4 texColor = textureCube(tCube,vec3(tFlip * vWorldDirection.x,vWorldDirection.yz));
gl_FragColor = texColor;
gl_FragColor.a *= opacity;
#include <tonemapping_fragment>
#include <colorspace_fragment>
}`,Xy=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
#include <uv_vertex>
#include <batching_vertex>
#include <skinbase_vertex>
#include <morphinstance_vertex>
#ifdef USE_DISPLACEMENTMAP
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinnormal_vertex>
#endif
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
vHighPrecisionZW = gl_Position.zw;
}`,qy=`#if DEPTH_PACKING == 3200
uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
vec4 diffuseColor = vec4(1.0);
#include <clipping_planes_fragment>
#if DEPTH_PACKING == 3200
diffuseColor.a = opacity;
#endif
#include <map_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <logdepthbuf_fragment>
#ifdef USE_REVERSED_DEPTH_BUFFER
float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
#else
float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
#endif
#if DEPTH_PACKING == 3200
gl_FragColor = vec4(vec3(1.0 - fragCoordZ),opacity);
#elif DEPTH_PACKING == 3201
gl_FragColor = packDepthToRGBA(fragCoordZ);
#elif DEPTH_PACKING == 3202
gl_FragColor = vec4(packDepthToRGB(fragCoordZ),1.0);
#elif DEPTH_PACKING == 3203
gl_FragColor = vec4(packDepthToRG(fragCoordZ),0.0,1.0);
#endif
}`,Yy=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
#include <batching_vertex>
#include <skinbase_vertex>
#include <morphinstance_vertex>
#ifdef USE_DISPLACEMENTMAP
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinnormal_vertex>
#endif
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <worldpos_vertex>
#include <clipping_planes_vertex>
vWorldPosition = worldPosition.xyz;
}`,Zy=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(1.0);
#include <clipping_planes_fragment>
#include <map_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
float dist = length(vWorldPosition - referencePosition);
dist = (dist - nearDistance) / (farDistance - nearDistance);
dist = saturate(dist);
gl_FragColor = vec4(dist,0.0,0.0,1.0);
}`,$y=`varying vec3 vWorldDirection;
#include <common>
void main() {
vWorldDirection = transformDirection(position,modelMatrix);
#include <begin_vertex>
#include <project_vertex>
}`,Jy=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
vec3 direction = normalize(vWorldDirection);
vec2 sampleUV = equirectUv(direction);
gl_FragColor = texture2D(tEquirect,sampleUV);
#include <tonemapping_fragment>
#include <colorspace_fragment>
}`,Ky=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
vLineDistance = scale * lineDistance;
#include <uv_vertex>
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
#include <fog_vertex>
}`,jy=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
if (mod(vLineDistance,totalSize) > dashSize) {
discard;
}
vec3 outgoingLight = vec3(0.0);
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
outgoingLight = diffuseColor.rgb;
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
}`,Qy=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <batching_vertex>
#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#endif
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
#include <worldpos_vertex>
#include <envmap_vertex>
#include <fog_vertex>
}`,tv=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <specularmap_fragment>
ReflectedLight reflectedLight = ReflectedLight(vec3(0.0),vec3(0.0),vec3(0.0),vec3(0.0));
#ifdef USE_LIGHTMAP
vec4 lightMapTexel = texture2D(lightMap,vLightMapUv);
reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
#else
reflectedLight.indirectDiffuse += vec3(1.0);
#endif
#include <aomap_fragment>
reflectedLight.indirectDiffuse *= diffuseColor.rgb;
vec3 outgoingLight = reflectedLight.indirectDiffuse;
#include <envmap_fragment>
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
#include <dithering_fragment>
}`,ev=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <normal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
vViewPosition = - mvPosition.xyz;
#include <worldpos_vertex>
#include <envmap_vertex>
#include <shadowmap_vertex>
#include <fog_vertex>
}`,nv=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
ReflectedLight reflectedLight = ReflectedLight(vec3(0.0),vec3(0.0),vec3(0.0),vec3(0.0));
vec3 totalEmissiveRadiance = emissive;
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <specularmap_fragment>
#include <normal_fragment_begin>
#include <normal_fragment_maps>
#include <emissivemap_fragment>
#include <lights_lambert_fragment>
#include <lights_fragment_begin>
#include <lights_fragment_maps>
#include <lights_fragment_end>
#include <aomap_fragment>
vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
#include <envmap_fragment>
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
#include <dithering_fragment>
}`,iv=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <normal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
#include <fog_vertex>
vViewPosition = - mvPosition.xyz;
}`,sv=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <normal_fragment_begin>
#include <normal_fragment_maps>
vec3 viewDir = normalize(vViewPosition);
vec3 x = normalize(vec3(viewDir.z,0.0,- viewDir.x));
vec3 y = cross(viewDir,x);
vec2 uv = vec2(dot(x,normal),dot(y,normal)) * 0.495 + 0.5;
#ifdef USE_MATCAP
vec4 matcapColor = texture2D(matcap,uv);
#else
vec4 matcapColor = vec4(vec3(mix(0.2,0.8,uv.y)),1.0);
#endif
vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
#include <dithering_fragment>
}`,rv=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphinstance_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <normal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
vViewPosition = - mvPosition.xyz;
#endif
}`,ov=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(0.0,0.0,0.0,opacity);
#include <clipping_planes_fragment>
#include <logdepthbuf_fragment>
#include <normal_fragment_begin>
#include <normal_fragment_maps>
gl_FragColor = vec4(normalize(normal) * 0.5 + 0.5,diffuseColor.a);
#ifdef OPAQUE
gl_FragColor.a = 1.0;
#endif
}`,av=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
#include <color_vertex>
#include <morphcolor_vertex>
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphinstance_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <normal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
vViewPosition = - mvPosition.xyz;
#include <worldpos_vertex>
#include <envmap_vertex>
#include <shadowmap_vertex>
#include <fog_vertex>
}`,lv=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
ReflectedLight reflectedLight = ReflectedLight(vec3(0.0),vec3(0.0),vec3(0.0),vec3(0.0));
vec3 totalEmissiveRadiance = emissive;
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <specularmap_fragment>
#include <normal_fragment_begin>
#include <normal_fragment_maps>
#include <emissivemap_fragment>
#include <lights_phong_fragment>
#include <lights_fragment_begin>
#include <lights_fragment_maps>
#include <lights_fragment_end>
#include <aomap_fragment>
vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
#include <envmap_fragment>
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
#include <dithering_fragment>
}`,cv=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <normal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
vViewPosition = - mvPosition.xyz;
#include <worldpos_vertex>
#include <shadowmap_vertex>
#include <fog_vertex>
#ifdef USE_TRANSMISSION
vWorldPosition = worldPosition.xyz;
#endif
}`,hv=`#define STANDARD
#ifdef PHYSICAL
#define IOR
#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
uniform float ior;
#endif
#ifdef USE_SPECULAR
uniform float specularIntensity;
uniform vec3 specularColor;
#ifdef USE_SPECULAR_COLORMAP
uniform sampler2D specularColorMap;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
uniform sampler2D specularIntensityMap;
#endif
#endif
#ifdef USE_CLEARCOAT
uniform float clearcoat;
uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
uniform float diffuseRoughness;
#ifdef USE_DIFFUSE_ROUGHNESSMAP
uniform sampler2D diffuseRoughnessMap;
#endif
#endif
#ifdef USE_DISPERSION
uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
uniform float iridescence;
uniform float iridescenceIOR;
uniform float iridescenceThicknessMinimum;
uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
uniform vec3 sheenColor;
uniform float sheenRoughness;
#ifdef USE_SHEEN_COLORMAP
uniform sampler2D sheenColorMap;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
uniform sampler2D sheenRoughnessMap;
#endif
#endif
#ifdef USE_ANISOTROPY
uniform vec2 anisotropyVector;
#ifdef USE_ANISOTROPYMAP
uniform sampler2D anisotropyMap;
#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
ReflectedLight reflectedLight = ReflectedLight(vec3(0.0),vec3(0.0),vec3(0.0),vec3(0.0));
vec3 totalEmissiveRadiance = emissive;
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <roughnessmap_fragment>
#include <metalnessmap_fragment>
#include <normal_fragment_begin>
#include <normal_fragment_maps>
#include <clearcoat_normal_fragment_begin>
#include <clearcoat_normal_fragment_maps>
#include <emissivemap_fragment>
#include <lights_physical_fragment>
#include <lights_fragment_begin>
#include <lights_fragment_maps>
#include <lights_fragment_end>
#include <aomap_fragment>
vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
#include <transmission_fragment>
vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
#ifdef USE_SHEEN
outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
#endif
#ifdef USE_CLEARCOAT
float dotNVcc = saturate(dot(geometryClearcoatNormal,geometryViewDir));
vec3 Fcc = F_Schlick(material.clearcoatF0,material.clearcoatF90,dotNVcc);
outgoingLight = outgoingLight * (1.0 - material.clearcoat * Fcc) + (clearcoatSpecularDirect + clearcoatSpecularIndirect) * material.clearcoat;
#endif
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
#include <dithering_fragment>
}`,uv=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <normal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
vViewPosition = - mvPosition.xyz;
#include <worldpos_vertex>
#include <shadowmap_vertex>
#include <fog_vertex>
}`,fv=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
ReflectedLight reflectedLight = ReflectedLight(vec3(0.0),vec3(0.0),vec3(0.0),vec3(0.0));
vec3 totalEmissiveRadiance = emissive;
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <normal_fragment_begin>
#include <normal_fragment_maps>
#include <emissivemap_fragment>
#include <lights_toon_fragment>
#include <lights_fragment_begin>
#include <lights_fragment_maps>
#include <lights_fragment_end>
#include <aomap_fragment>
vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
#include <dithering_fragment>
}`,dv=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
varying vec2 vUv;
uniform mat3 uvTransform;
#endif
void main() {
#ifdef USE_POINTS_UV
vUv = (uvTransform * vec3(uv,1)).xy;
#endif
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <project_vertex>
gl_PointSize = size;
#ifdef USE_SIZEATTENUATION
bool isPerspective = isPerspectiveMatrix(projectionMatrix);
if (isPerspective) gl_PointSize *= (scale / - mvPosition.z);
#endif
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
#include <worldpos_vertex>
#include <fog_vertex>
}`,pv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
vec3 outgoingLight = vec3(0.0);
#include <logdepthbuf_fragment>
#include <map_particle_fragment>
#include <color_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
outgoingLight = diffuseColor.rgb;
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
}`,mv=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphinstance_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <worldpos_vertex>
#include <shadowmap_vertex>
#include <fog_vertex>
}`,gv=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
#include <logdepthbuf_fragment>
gl_FragColor = vec4(color,opacity * (1.0 - getShadowMask()));
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
}`,_v=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
#include <uv_vertex>
vec4 mvPosition = modelViewMatrix[ 3 ];
vec2 scale = vec2(length(modelMatrix[ 0 ].xyz),length(modelMatrix[ 1 ].xyz));
#ifndef USE_SIZEATTENUATION
bool isPerspective = isPerspectiveMatrix(projectionMatrix);
if (isPerspective) scale *= - mvPosition.z;
#endif
vec2 alignedPosition = (position.xy - (center - vec2(0.5))) * scale;
vec2 rotatedPosition;
rotatedPosition.x = cos(rotation) * alignedPosition.x - sin(rotation) * alignedPosition.y;
rotatedPosition.y = sin(rotation) * alignedPosition.x + cos(rotation) * alignedPosition.y;
mvPosition.xy += rotatedPosition;
gl_Position = projectionMatrix * mvPosition;
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
#include <fog_vertex>
}`,xv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
vec4 diffuseColor = vec4(diffuse,opacity);
#include <clipping_planes_fragment>
vec3 outgoingLight = vec3(0.0);
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
outgoingLight = diffuseColor.rgb;
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
}`,he={alphahash_fragment:z_,alphahash_pars_fragment:V_,alphamap_fragment:G_,alphamap_pars_fragment:H_,alphatest_fragment:W_,alphatest_pars_fragment:X_,aomap_fragment:q_,aomap_pars_fragment:Y_,batching_pars_vertex:Z_,batching_vertex:$_,begin_vertex:J_,beginnormal_vertex:K_,bsdfs:j_,iridescence_fragment:Q_,bumpmap_pars_fragment:tx,clipping_planes_fragment:ex,clipping_planes_pars_fragment:nx,clipping_planes_pars_vertex:ix,clipping_planes_vertex:sx,color_fragment:rx,color_pars_fragment:ox,color_pars_vertex:ax,color_vertex:lx,common:cx,defaultnormal_vertex:hx,displacementmap_pars_vertex:ux,displacementmap_vertex:fx,emissivemap_fragment:dx,emissivemap_pars_fragment:px,colorspace_fragment:mx,colorspace_pars_fragment:gx,envmap_fragment:_x,envmap_common_pars_fragment:xx,envmap_pars_fragment:yx,envmap_pars_vertex:vx,envmap_physical_pars_fragment:Ix,envmap_vertex:Sx,fog_vertex:Mx,fog_pars_vertex:bx,fog_fragment:wx,fog_pars_fragment:Ex,gradientmap_pars_fragment:Tx,lightmap_pars_fragment:Ax,lights_lambert_fragment:Rx,lights_lambert_pars_fragment:Cx,lights_pars_begin:Px,lights_toon_fragment:Lx,lights_toon_pars_fragment:Dx,lights_phong_fragment:Nx,lights_phong_pars_fragment:Ux,lights_physical_fragment:Fx,lights_physical_pars_fragment:Ox,lights_fragment_begin:Bx,lights_fragment_maps:kx,lights_fragment_end:zx,lightprobes_pars_fragment:Vx,logdepthbuf_fragment:Gx,logdepthbuf_pars_fragment:Hx,logdepthbuf_pars_vertex:Wx,logdepthbuf_vertex:Xx,map_fragment:qx,map_pars_fragment:Yx,map_particle_fragment:Zx,map_particle_pars_fragment:$x,metalnessmap_fragment:Jx,metalnessmap_pars_fragment:Kx,morphinstance_vertex:jx,morphcolor_vertex:Qx,morphnormal_vertex:ty,morphtarget_pars_vertex:ey,morphtarget_vertex:ny,normal_fragment_begin:iy,normal_fragment_maps:sy,normal_pars_fragment:ry,normal_pars_vertex:oy,normal_vertex:ay,normalmap_pars_fragment:ly,clearcoat_normal_fragment_begin:cy,clearcoat_normal_fragment_maps:hy,clearcoat_pars_fragment:uy,iridescence_pars_fragment:fy,opaque_fragment:dy,packing:py,premultiplied_alpha_fragment:my,project_vertex:gy,dithering_fragment:_y,dithering_pars_fragment:xy,roughnessmap_fragment:yy,roughnessmap_pars_fragment:vy,shadowmap_pars_fragment:Sy,shadowmap_pars_vertex:My,shadowmap_vertex:by,shadowmask_pars_fragment:wy,skinbase_vertex:Ey,skinning_pars_vertex:Ty,skinning_vertex:Ay,skinnormal_vertex:Ry,specularmap_fragment:Cy,specularmap_pars_fragment:Py,tonemapping_fragment:Iy,tonemapping_pars_fragment:Ly,transmission_fragment:Dy,transmission_pars_fragment:Ny,uv_pars_fragment:Uy,uv_pars_vertex:Fy,uv_vertex:Oy,worldpos_vertex:By,background_vert:ky,background_frag:zy,backgroundCube_vert:Vy,backgroundCube_frag:Gy,cube_vert:Hy,cube_frag:Wy,depth_vert:Xy,depth_frag:qy,distance_vert:Yy,distance_frag:Zy,equirect_vert:$y,equirect_frag:Jy,linedashed_vert:Ky,linedashed_frag:jy,meshbasic_vert:Qy,meshbasic_frag:tv,meshlambert_vert:ev,meshlambert_frag:nv,meshmatcap_vert:iv,meshmatcap_frag:sv,meshnormal_vert:rv,meshnormal_frag:ov,meshphong_vert:av,meshphong_frag:lv,meshphysical_vert:cv,meshphysical_frag:hv,meshtoon_vert:uv,meshtoon_frag:fv,points_vert:dv,points_frag:pv,shadow_vert:mv,shadow_frag:gv,sprite_vert:_v,sprite_frag:xv},Lt={common:{diffuse:{value:new Zt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new ne},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new ne}},envmap:{envMap:{value:null},envMapRotation:{value:new ne},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new ne}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new ne}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new ne},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new ne},normalScale:{value:new qt(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new ne},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new ne}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new ne}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new ne}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Zt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Zt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0},uvTransform:{value:new ne}},sprite:{diffuse:{value:new Zt(16777215)},opacity:{value:1},center:{value:new qt(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new ne},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0}}},ji={basic:{uniforms:Hn([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.fog]),vertexShader:he.meshbasic_vert,fragmentShader:he.meshbasic_frag},lambert:{uniforms:Hn([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,Lt.lights,{emissive:{value:new Zt(0)},envMapIntensity:{value:1}}]),vertexShader:he.meshlambert_vert,fragmentShader:he.meshlambert_frag},phong:{uniforms:Hn([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,Lt.lights,{emissive:{value:new Zt(0)},specular:{value:new Zt(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:he.meshphong_vert,fragmentShader:he.meshphong_frag},standard:{uniforms:Hn([Lt.common,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.roughnessmap,Lt.metalnessmap,Lt.fog,Lt.lights,{emissive:{value:new Zt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:he.meshphysical_vert,fragmentShader:he.meshphysical_frag},toon:{uniforms:Hn([Lt.common,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.gradientmap,Lt.fog,Lt.lights,{emissive:{value:new Zt(0)}}]),vertexShader:he.meshtoon_vert,fragmentShader:he.meshtoon_frag},matcap:{uniforms:Hn([Lt.common,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,{matcap:{value:null}}]),vertexShader:he.meshmatcap_vert,fragmentShader:he.meshmatcap_frag},points:{uniforms:Hn([Lt.points,Lt.fog]),vertexShader:he.points_vert,fragmentShader:he.points_frag},dashed:{uniforms:Hn([Lt.common,Lt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:he.linedashed_vert,fragmentShader:he.linedashed_frag},depth:{uniforms:Hn([Lt.common,Lt.displacementmap]),vertexShader:he.depth_vert,fragmentShader:he.depth_frag},normal:{uniforms:Hn([Lt.common,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,{opacity:{value:1}}]),vertexShader:he.meshnormal_vert,fragmentShader:he.meshnormal_frag},sprite:{uniforms:Hn([Lt.sprite,Lt.fog]),vertexShader:he.sprite_vert,fragmentShader:he.sprite_frag},background:{uniforms:{uvTransform:{value:new ne},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:he.background_vert,fragmentShader:he.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new ne}},vertexShader:he.backgroundCube_vert,fragmentShader:he.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:he.cube_vert,fragmentShader:he.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:he.equirect_vert,fragmentShader:he.equirect_frag},distance:{uniforms:Hn([Lt.common,Lt.displacementmap,{referencePosition:{value:new U},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:he.distance_vert,fragmentShader:he.distance_frag},shadow:{uniforms:Hn([Lt.lights,Lt.fog,{color:{value:new Zt(0)},opacity:{value:1}}]),vertexShader:he.shadow_vert,fragmentShader:he.shadow_frag}};ji.physical={uniforms:Hn([ji.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new ne},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new ne},clearcoatNormalScale:{value:new qt(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new ne},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new ne},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new ne},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new ne},sheen:{value:0},sheenColor:{value:new Zt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new ne},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new ne},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new ne},transmissionSamplerSize:{value:new qt},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new ne},attenuationDistance:{value:0},attenuationColor:{value:new Zt(0)},specularColor:{value:new Zt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new ne},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new ne},anisotropyVector:{value:new qt},anisotropyMap:{value:null},anisotropyMapTransform:{value:new ne}}]),vertexShader:he.meshphysical_vert,fragmentShader:he.meshphysical_frag};var Dc={r:0,b:0,g:0},yv=new Yt,am=new ne;am.set(-1,0,0,0,1,0,0,0,1);function vv(i,t,e,n,s,r){let o=new Zt(0),a=s===!0?0:1,c,l,h=null,u=0,f=null;function d(M){let A=M.isScene===!0?M.background:null;if(A&&A.isTexture){let v=M.backgroundBlurriness>0;A=t.get(A,v)}return A}function p(M){let A=!1,v=d(M);v===null?m(o,a):v&&v.isColor&&(m(v,1),A=!0);let R=i.xr.getEnvironmentBlendMode();R==="additive"?e.buffers.color.setClear(0,0,0,1,r):R==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(i.autoClear||A)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function y(M,A){let v=d(A);v&&v.isCubeTexture?(l===void 0&&(l=new ve(new Us(1,1,1),new mn({name:"BackgroundCubeMaterial",uniforms:cr(ji.backgroundCube.uniforms),vertexShader:ji.backgroundCube.vertexShader,fragmentShader:ji.backgroundCube.fragmentShader,side:Bn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),l.geometry.deleteAttribute("uv"),l.onBeforeRender=function(R,T,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(l)),l.material.uniforms.envMap.value=v,l.material.uniforms.backgroundBlurriness.value=A.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(yv.makeRotationFromEuler(A.backgroundRotation)).transpose(),v.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(am),l.material.toneMapped=_e.getTransfer(v.colorSpace)!==Re,(h!==v||u!==v.version||f!==i.toneMapping)&&(l.material.needsUpdate=!0,h=v,u=v.version,f=i.toneMapping),l.layers.enableAll(),M.unshift(l,l.geometry,l.material,0,0,null)):v&&v.isTexture&&(c===void 0&&(c=new ve(new ds(2,2),new mn({name:"BackgroundMaterial",uniforms:cr(ji.background.uniforms),vertexShader:ji.background.vertexShader,fragmentShader:ji.background.fragmentShader,side:Mi,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(c)),c.material.uniforms.t2D.value=v,c.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,c.material.toneMapped=_e.getTransfer(v.colorSpace)!==Re,v.matrixAutoUpdate===!0&&v.updateMatrix(),c.material.uniforms.uvTransform.value.copy(v.matrix),(h!==v||u!==v.version||f!==i.toneMapping)&&(c.material.needsUpdate=!0,h=v,u=v.version,f=i.toneMapping),c.layers.enableAll(),M.unshift(c,c.geometry,c.material,0,0,null))}function m(M,A){M.getRGB(Dc,Fu(i)),e.buffers.color.setClear(Dc.r,Dc.g,Dc.b,A,r)}function g(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(M,A=1){o.set(M),a=A,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(M){a=M,m(o,a)},render:p,addToRenderList:y,dispose:g}}function Sv(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=f(null),r=s,o=!1;function a(D,k,V,I,G){let Y=!1,H=u(D,I,V,k);r!==H&&(r=H,l(r.object)),Y=d(D,I,V,G),Y&&p(D,I,V,G),G!==null&&t.update(G,i.ELEMENT_ARRAY_BUFFER),(Y||o)&&(o=!1,v(D,k,V,I),G!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(G).buffer))}function c(){return i.createVertexArray()}function l(D){return i.bindVertexArray(D)}function h(D){return i.deleteVertexArray(D)}function u(D,k,V,I){let G=I.wireframe===!0,Y=n[k.id];Y===void 0&&(Y={},n[k.id]=Y);let H=D.isInstancedMesh===!0?D.id:0,at=Y[H];at===void 0&&(at={},Y[H]=at);let $=at[V.id];$===void 0&&($={},at[V.id]=$);let j=$[G];return j===void 0&&(j=f(c()),$[G]=j),j}function f(D){let k=[],V=[],I=[];for(let G=0;G<e;G++)k[G]=0,V[G]=0,I[G]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:k,enabledAttributes:V,attributeDivisors:I,object:D,attributes:{},index:null}}function d(D,k,V,I){let G=r.attributes,Y=k.attributes,H=0,at=V.getAttributes();for(let $ in at)if(at[$].location>=0){let nt=G[$],ut=Y[$];if(ut===void 0&&($==="instanceMatrix"&&D.instanceMatrix&&(ut=D.instanceMatrix),$==="instanceColor"&&D.instanceColor&&(ut=D.instanceColor)),nt===void 0||nt.attribute!==ut||ut&&nt.data!==ut.data)return!0;H++}return r.attributesNum!==H||r.index!==I}function p(D,k,V,I){let G={},Y=k.attributes,H=0,at=V.getAttributes();for(let $ in at)if(at[$].location>=0){let nt=Y[$];nt===void 0&&($==="instanceMatrix"&&D.instanceMatrix&&(nt=D.instanceMatrix),$==="instanceColor"&&D.instanceColor&&(nt=D.instanceColor));let ut={};ut.attribute=nt,nt&&nt.data&&(ut.data=nt.data),G[$]=ut,H++}r.attributes=G,r.attributesNum=H,r.index=I}function y(){let D=r.newAttributes;for(let k=0,V=D.length;k<V;k++)D[k]=0}function m(D){g(D,0)}function g(D,k){let V=r.newAttributes,I=r.enabledAttributes,G=r.attributeDivisors;V[D]=1,I[D]===0&&(i.enableVertexAttribArray(D),I[D]=1),G[D]!==k&&(i.vertexAttribDivisor(D,k),G[D]=k)}function M(){let D=r.newAttributes,k=r.enabledAttributes;for(let V=0,I=k.length;V<I;V++)k[V]!==D[V]&&(i.disableVertexAttribArray(V),k[V]=0)}function A(D,k,V,I,G,Y,H){H===!0?i.vertexAttribIPointer(D,k,V,G,Y):i.vertexAttribPointer(D,k,V,I,G,Y)}function v(D,k,V,I){y();let G=I.attributes,Y=V.getAttributes(),H=k.defaultAttributeValues;for(let at in Y){let $=Y[at];if($.location>=0){let j=G[at];if(j===void 0&&(at==="instanceMatrix"&&D.instanceMatrix&&(j=D.instanceMatrix),at==="instanceColor"&&D.instanceColor&&(j=D.instanceColor)),j!==void 0){let nt=j.normalized,ut=j.itemSize,ht=t.get(j);if(ht===void 0)continue;let Q=ht.buffer,pt=ht.type,xt=ht.bytesPerElement,At=pt===i.INT||pt===i.UNSIGNED_INT||j.gpuType===Kl;if(j.isInterleavedBufferAttribute){let Mt=j.data,Ht=Mt.isInterleavedBuffer===!0?Mt.stride:Mt.itemSize,re=j.offset;if(Mt.isInstancedInterleavedBuffer||Mt.isInstancedBufferAttribute){for(let Vt=0;Vt<$.locationSize;Vt++)g($.location+Vt,Mt.meshPerAttribute);D.isInstancedMesh!==!0&&I._maxInstanceCount===void 0&&(I._maxInstanceCount=Mt.meshPerAttribute*Mt.count)}else for(let Vt=0;Vt<$.locationSize;Vt++)m($.location+Vt);i.bindBuffer(i.ARRAY_BUFFER,Q);for(let Vt=0;Vt<$.locationSize;Vt++)A($.location+Vt,ut/$.locationSize,pt,nt,Ht*xt,(re+ut/$.locationSize*Vt)*xt,At)}else{if(j.isInstancedBufferAttribute){for(let Mt=0;Mt<$.locationSize;Mt++)g($.location+Mt,j.meshPerAttribute);D.isInstancedMesh!==!0&&I._maxInstanceCount===void 0&&(I._maxInstanceCount=j.meshPerAttribute*j.count)}else for(let Mt=0;Mt<$.locationSize;Mt++)m($.location+Mt);i.bindBuffer(i.ARRAY_BUFFER,Q);for(let Mt=0;Mt<$.locationSize;Mt++)A($.location+Mt,ut/$.locationSize,pt,nt,ut*xt,ut/$.locationSize*Mt*xt,At)}}else if(H!==void 0){let nt=H[at];if(nt!==void 0)switch(nt.length){case 2:i.vertexAttrib2fv($.location,nt);break;case 3:i.vertexAttrib3fv($.location,nt);break;case 4:i.vertexAttrib4fv($.location,nt);break;default:i.vertexAttrib1fv($.location,nt)}}}}M()}function R(){B();for(let D in n){let k=n[D];for(let V in k){let I=k[V];for(let G in I){let Y=I[G];for(let H in Y)h(Y[H].object),delete Y[H];delete I[G]}}delete n[D]}}function T(D){if(n[D.id]===void 0)return;let k=n[D.id];for(let V in k){let I=k[V];for(let G in I){let Y=I[G];for(let H in Y)h(Y[H].object),delete Y[H];delete I[G]}}delete n[D.id]}function x(D){for(let k in n){let V=n[k];for(let I in V){let G=V[I];if(G[D.id]===void 0)continue;let Y=G[D.id];for(let H in Y)h(Y[H].object),delete Y[H];delete G[D.id]}}}function E(D){for(let k in n){let V=n[k],I=D.isInstancedMesh===!0?D.id:0,G=V[I];if(G!==void 0){for(let Y in G){let H=G[Y];for(let at in H)h(H[at].object),delete H[at];delete G[Y]}delete V[I],Object.keys(V).length===0&&delete n[k]}}}function B(){L(),o=!0,r!==s&&(r=s,l(r.object))}function L(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:B,resetDefaultState:L,dispose:R,releaseStatesOfGeometry:T,releaseStatesOfObject:E,releaseStatesOfProgram:x,initAttributes:y,enableAttribute:m,disableUnusedAttributes:M}}function Mv(i,t,e){let n;function s(c){n=c}function r(c,l){i.drawArrays(n,c,l),e.update(l,n,1)}function o(c,l,h){h!==0&&(i.drawArraysInstanced(n,c,l,h),e.update(l,n,h))}function a(c,l,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,c,0,l,0,h);let f=0;for(let d=0;d<h;d++)f+=l[d];e.update(f,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function bv(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let x=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Qn&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let E=x===Di&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(x!==jn&&x!==hi&&!E&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function c(x){if(x==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let l=e.precision!==void 0?e.precision:"highp",h=c(l);h!==l&&(Xt("WebGLRenderer:",l,"not supported, using",h,"instead."),l=h);let u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),f=e.logarithmicDepthBuffer===!0&&u===!1;e.reversedDepthBuffer===!0&&u===!1&&Xt("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&u===!0&&Xt("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let d=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),p=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),y=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),g=i.getParameter(i.MAX_VERTEX_ATTRIBS),M=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),A=i.getParameter(i.MAX_VARYING_VECTORS),v=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),R=i.getParameter(i.MAX_SAMPLES),T=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:a,precision:l,logarithmicDepthBuffer:f,reversedDepthBuffer:u,maxTextures:d,maxVertexTextures:p,maxTextureSize:y,maxCubemapSize:m,maxAttributes:g,maxVertexUniforms:M,maxVaryings:A,maxFragmentUniforms:v,maxSamples:R,samples:T}}function wv(i){let t=this,e=null,n=0,s=!1,r=!1,o=new $n,a=new ne,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(u,f){let d=u.length!==0||f||n!==0||s;return s=f,n=u.length,d},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,f){e=h(u,f,0)},this.setState=function(u,f,d){let p=u.clippingPlanes,y=u.clipIntersection,m=u.clipShadows,g=i.get(u);if(!s||p===null||p.length===0||r&&!m)r?h(null):l();else{let M=r?0:n,A=M*4,v=g.clippingState||null;c.value=v,v=h(p,f,A,d);for(let R=0;R!==A;++R)v[R]=e[R];g.clippingState=v,this.numIntersection=y?this.numPlanes:0,this.numPlanes+=M}};function l(){c.value!==e&&(c.value=e,c.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(u,f,d,p){let y=u!==null?u.length:0,m=null;if(y!==0){if(m=c.value,p!==!0||m===null){let g=d+y*4,M=f.matrixWorldInverse;a.getNormalMatrix(M),(m===null||m.length<g)&&(m=new Float32Array(g));for(let A=0,v=d;A!==y;++A,v+=4)o.copy(u[A]).applyMatrix4(M,a),o.normal.toArray(m,v),m[v+3]=o.constant}c.value=m,c.needsUpdate=!0}return t.numPlanes=y,t.numIntersection=0,m}}var Ra=class extends ai{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new ta(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`
varying vec3 vWorldDirection;
vec3 transformDirection(in vec3 dir,in mat4 matrix) {
return normalize((matrix * vec4(dir,0.0)).xyz);
}
void main() {
vWorldDirection = transformDirection(position,modelMatrix);
#include <begin_vertex>
#include <project_vertex>
}
`,fragmentShader:`
uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
vec3 direction = normalize(vWorldDirection);
vec2 sampleUV = equirectUv(direction);
gl_FragColor = texture2D(tEquirect,sampleUV);
}
`},s=new Us(5,5,5),r=new mn({name:"CubemapFromEquirect",uniforms:cr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Bn,blending:ps});r.uniforms.tEquirect.value=e;let o=new ve(s,r),a=e.minFilter;return e.minFilter===ms&&(e.minFilter=Fn),new io(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},kp=256,Ev=3,Tv=20,lm=256,cm=16,Av=3,Rv=new U,Cv=new Zt,uo=class i{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new io(1,10,null),this._boxMesh=new ve(new Us(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,n=.1,s=100,r={}){let{size:o=256,position:a=Rv}=r,c=this._renderer;this._setSize(o);let l=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let u=c.autoClear,f=c.autoClearColor,d=c.autoClearDepth,p=c.autoClearStencil,y=t.background;c.autoClear=!0,c.autoClearColor=!0,c.autoClearDepth=!0,c.autoClearStencil=!0,y===null&&(t.background=c.getClearColor(Cv));let m=new io(n,s,h);return m.position.copy(a),m.update(c,t),c.autoClear=u,c.autoClearColor=f,c.autoClearDepth=d,c.autoClearStencil=p,t.background=y,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(l,e)),this._applyPMREM(l),l}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Gp(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Vp(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(kp,Du(t))}_fromTexture(t,e){t.mapping===or||t.mapping===ao?this._setSize(t.image.length===0?kp:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let n=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(n),n}_allocateTarget(){let t=this._cubeSize,e=zp(t,!1,!1),n=Math.log2(t)-Ev;for(let s=0;s<=n;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==e||t&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=zp(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===or||t.mapping===ao?(this._cubemapMaterial===null&&(this._cubemapMaterial=Gp()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=Vp()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=Pv(),this._integrationMaterial=Iv());let e=this._cubeSize,n=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/cm);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-Av)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let c=a>0?Math.log2(e)+.5*Math.log2(6/(lm*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=c,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=Lv());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,n),s.envMap.value=t.texture,this._renderCube(r,0,n)}};function zp(i,t,e){return new Ra(i,{minFilter:ms,generateMipmaps:t,type:Di,colorSpace:qo,depthBuffer:e})}function Ca(i,t,e){return new mn({name:i,uniforms:t,vertexShader:he.cube_vert,fragmentShader:e,side:Bn,blending:ps,depthTest:!1,depthWrite:!1})}function Pv(){return Ca("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`
#define GGX_SAMPLES ${lm}u
varying vec3 vWorldDirection;
uniform samplerCube envMap;
uniform float roughness;
uniform float lodBias;
#include <common>
float radicalInverse_VdC(uint bits) {
bits = (bits << 16u) | (bits >> 16u);
bits = ((bits & 0x55555555u) << 1u) | ((bits & 0xAAAAAAAAu) >> 1u);
bits = ((bits & 0x33333333u) << 2u) | ((bits & 0xCCCCCCCCu) >> 2u);
bits = ((bits & 0x0F0F0F0Fu) << 4u) | ((bits & 0xF0F0F0F0u) >> 4u);
bits = ((bits & 0x00FF00FFu) << 8u) | ((bits & 0xFF00FF00u) >> 8u);
return float(bits) * 2.3283064365386963e-10; // / 0x100000000
}
vec2 hammersley(uint i,uint N) {
return vec2(float(i) / float(N),radicalInverse_VdC(i));
}
void main() {
vec3 N = normalize(vWorldDirection);
if (roughness < 0.001) {
gl_FragColor = vec4(textureLod(envMap,N,0.0).rgb,1.0);
return;
}
float alpha = roughness * roughness;
float alpha2 = alpha * alpha;
vec3 up = abs(N.z) < 0.999 ? vec3(0.0,0.0,1.0) : vec3(1.0,0.0,0.0);
vec3 tangent = normalize(cross(up,N));
vec3 bitangent = cross(N,tangent);
vec3 prefilteredColor = vec3(0.0);
float totalWeight = 0.0;
for (uint i = 0u; i < GGX_SAMPLES; i ++) {
vec2 Xi = hammersley(i,GGX_SAMPLES);
float invQ = 1.0 / (1.0 - Xi.x + alpha2 * Xi.x);
float NdotL = (1.0 - Xi.x - alpha2 * Xi.x) * invQ;
if (NdotL > 0.0) {
float phi = 2.0 * PI * Xi.y;
float sinTheta = 2.0 * alpha * sqrt(Xi.x * (1.0 - Xi.x)) * invQ;
vec3 L = N * NdotL + (tangent * cos(phi) + bitangent * sin(phi)) * sinTheta;
float d = alpha2 * invQ;
float lod = max(log2(d) + lodBias,0.0);
prefilteredColor += textureLod(envMap,L,lod).rgb * NdotL;
totalWeight += NdotL;
}
}
gl_FragColor = vec4(prefilteredColor / totalWeight,1.0);
}
`)}function Iv(){return Ca("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:cm}},`
varying vec3 vWorldDirection;
uniform samplerCube envMap;
uniform float roughness;
uniform float sourceLod;
uniform int sourceSize;
void main() {
vec3 N = normalize(vWorldDirection);
float alpha = roughness * roughness;
float alpha2 = alpha * alpha;
float texelSize = 2.0 / float(sourceSize);
vec3 prefilteredColor = vec3(0.0);
float totalWeight = 0.0;
for (int face = 0; face < 3; face ++) {
for (int y = 0; y < sourceSize; y ++) {
for (int x = 0; x < sourceSize; x ++) {
vec2 uv = (vec2(x,y) + 0.5) * texelSize - 1.0;
vec3 texelDirection = face == 0 ? vec3(1.0,uv) : (face == 1 ? vec3(uv.x,1.0,uv.y) : vec3(uv,1.0));
float invDistance = inversesqrt(1.0 + dot(uv,uv));
float NdotL = dot(N,texelDirection);
texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
NdotL = abs(NdotL) * invDistance;
float d = 1.0 + alpha2 + (alpha2 - 1.0) * NdotL;
float weight = NdotL * invDistance * invDistance * invDistance / (d * d);
prefilteredColor += textureLod(envMap,texelDirection,sourceLod).rgb * weight;
totalWeight += weight;
}
}
}
gl_FragColor = vec4(prefilteredColor / totalWeight,1.0);
}
`)}function Lv(){return Ca("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`
#define SAMPLES ${Tv}
#define GOLDEN_ANGLE 2.39996322973
varying vec3 vWorldDirection;
uniform samplerCube envMap;
uniform float sigma;
#include <common>
void main() {
vec3 outputDirection = normalize(vWorldDirection);
vec3 up = abs(outputDirection.z) < 0.999 ? vec3(0.0,0.0,1.0) : vec3(1.0,0.0,0.0);
vec3 tangent = normalize(cross(up,outputDirection));
vec3 bitangent = cross(outputDirection,tangent);
float thetaMax = min(3.0 * sigma,PI);
float truncation = 1.0 - exp(- 0.5 * thetaMax * thetaMax / (sigma * sigma));
vec3 accumColor = vec3(0.0);
float accumWeight = 0.0;
for (int i = 0; i < SAMPLES; i ++) {
float stratum = (float(i) + 0.5) / float(SAMPLES);
float theta = sigma * sqrt(- 2.0 * log(1.0 - stratum * truncation));
float phi = float(i) * GOLDEN_ANGLE;
vec3 offset = cos(phi) * tangent + sin(phi) * bitangent;
vec3 sampleDirection = cos(theta) * outputDirection + sin(theta) * offset;
float weight = sin(theta) / theta;
accumColor += weight * textureLod(envMap,sampleDirection,0.0).rgb;
accumWeight += weight;
}
gl_FragColor = vec4(accumColor / accumWeight,1.0);
}
`)}function Vp(){return Ca("PMREMEquirectangularToCubemap",{envMap:{value:null}},`
varying vec3 vWorldDirection;
uniform sampler2D envMap;
#include <common>
void main() {
vec3 direction = normalize(vWorldDirection);
vec3 dx = dFdx(direction) * 0.25;
vec3 dy = dFdy(direction) * 0.25;
vec3 color = textureLod(envMap,equirectUv(normalize(direction - dx - dy)),0.0).rgb;
color += textureLod(envMap,equirectUv(normalize(direction + dx - dy)),0.0).rgb;
color += textureLod(envMap,equirectUv(normalize(direction - dx + dy)),0.0).rgb;
color += textureLod(envMap,equirectUv(normalize(direction + dx + dy)),0.0).rgb;
gl_FragColor = vec4(color * 0.25,1.0);
}
`)}function Gp(){return Ca("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`
varying vec3 vWorldDirection;
uniform samplerCube envMap;
uniform float flipEnvMap;
void main() {
gl_FragColor = vec4(textureCube(envMap,vec3(flipEnvMap * vWorldDirection.x,vWorldDirection.yz)).rgb,1.0);
}
`)}function Dv(i){let t=new WeakMap,e=new WeakMap,n=null;function s(f,d=!1){return f==null?null:d?o(f):r(f)}function r(f){if(f&&f.isTexture){let d=f.mapping;if(d===Zl||d===$l)if(t.has(f)){let p=t.get(f).texture;return a(p,f.mapping)}else{let p=f.image;if(p&&p.height>0){let y=new Ra(p.height);return y.fromEquirectangularTexture(i,f),t.set(f,y),f.addEventListener("dispose",l),a(y.texture,f.mapping)}else return null}}return f}function o(f){if(f&&f.isTexture&&f.isPMREMTexture!==!0){let d=f.mapping,p=d===Zl||d===$l,y=d===or||d===ao;if(p||y){let m=e.get(f),g=m!==void 0?m.texture.pmremVersion:0;if(f.isRenderTargetTexture&&f.pmremVersion!==g)return n===null&&(n=new uo(i)),m=p?n.fromEquirectangular(f,m):n.fromCubemap(f,m),m.texture.pmremVersion=f.pmremVersion,e.set(f,m),m.texture;if(m!==void 0)return m.texture;{let M=f.image;return p&&M&&M.height>0||y&&M&&c(M)?(n===null&&(n=new uo(i)),m=p?n.fromEquirectangular(f):n.fromCubemap(f),m.texture.pmremVersion=f.pmremVersion,e.set(f,m),f.addEventListener("dispose",h),m.texture):null}}}return f}function a(f,d){return d===Zl?f.mapping=or:d===$l&&(f.mapping=ao),f}function c(f){let d=0,p=6;for(let y=0;y<p;y++)f[y]!==void 0&&d++;return d===p}function l(f){let d=f.target;d.removeEventListener("dispose",l);let p=t.get(d);p!==void 0&&(t.delete(d),p.dispose())}function h(f){let d=f.target;d.removeEventListener("dispose",h);let p=e.get(d);p!==void 0&&(e.delete(d),p.dispose())}function u(){t=new WeakMap,e=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function Nv(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s=i.getExtension(n);return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&Go("WebGLRenderer: "+n+" extension not supported."),s}}}function Uv(i,t,e,n){let s={},r=new WeakMap,o=new FinalizationRegistry(p=>delete s[p]);function a(p){c(p.target)}function c(p){p.index!==null&&t.remove(p.index);for(let m in p.attributes)t.remove(p.attributes[m]);p.removeEventListener("dispose",a),delete s[p.id],o.unregister(p);let y=r.get(p);y&&(t.remove(y),r.delete(p)),n.releaseStatesOfGeometry(p),p.isInstancedBufferGeometry===!0&&delete p._maxInstanceCount,e.memory.geometries--}function l(p,y){return s[y.id]!==void 0||(y.addEventListener("dispose",a),s[y.id]=new WeakRef(y),o.register(y,y.id,y),e.memory.geometries++),y}function h(p){let y=p.attributes;for(let m in y)t.update(y[m],i.ARRAY_BUFFER)}function u(p){let y=p.index,m=p.attributes.position,g=0;if(m===void 0)return;let M=y!==null?y.array.length:m.array.length/3-1,A=m.count>=65535?Ko:Jo,v=new A(Math.ceil(M/3)*6,1),R=v.array;if(y!==null){let x=y.array;g=y.version;for(let E=0,B=0;E<M;E+=3){let L=x[E+0],D=x[E+1],k=x[E+2];R[B++]=L,R[B++]=D,R[B++]=D,R[B++]=k,R[B++]=k,R[B++]=L}}else{g=m.version;for(let x=0,E=0;x<M;x+=3){let B=x+0,L=x+1,D=x+2;R[E++]=B,R[E++]=L,R[E++]=L,R[E++]=D,R[E++]=D,R[E++]=B}}v.version=g;let T=r.get(p);T&&t.remove(T),r.set(p,v)}function f(p){let y=r.get(p);if(y){let m=p.index;m!==null&&y.version<m.version&&u(p)}else u(p);return r.get(p)}function d(){for(let p in s){let y=s[p].deref();y!==void 0&&c(y)}}return{get:l,update:h,getWireframeAttribute:f,dispose:d}}function Fv(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function c(u,f){i.drawElements(n,f,r,u*o),e.update(f,n,1)}function l(u,f,d){d!==0&&(i.drawElementsInstanced(n,f,r,u*o,d),e.update(f,n,d))}function h(u,f,d){if(d===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,f,0,r,u,0,d);let y=0;for(let m=0;m<d;m++)y+=f[m];e.update(y,n,1)}this.setMode=s,this.setIndex=a,this.render=c,this.renderInstances=l,this.renderMultiDraw=h}function Ov(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:te("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function Bv(i,t,e){let n=new WeakMap,s=new Me;function r(o,a,c){let l=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,f=n.get(a);if(f===void 0||f.count!==u){let B=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",B)};f!==void 0&&f.texture.dispose();let d=a.morphAttributes.position!==void 0,p=a.morphAttributes.normal!==void 0,y=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],g=a.morphAttributes.normal||[],M=a.morphAttributes.color||[],A=0;d===!0&&(A=1),p===!0&&(A=2),y===!0&&(A=3);let v=a.attributes.position.count*A,R=1;v>t.maxTextureSize&&(R=Math.ceil(v/t.maxTextureSize),v=t.maxTextureSize);let T=new Float32Array(v*R*4*u),x=new $o(T,v,R,u);x.type=hi,x.needsUpdate=!0;let E=A*4;for(let L=0;L<u;L++){let D=m[L],k=g[L],V=M[L],I=v*R*4*L;for(let G=0;G<D.count;G++){let Y=G*E;d===!0&&(s.fromBufferAttribute(D,G),T[I+Y+0]=s.x,T[I+Y+1]=s.y,T[I+Y+2]=s.z,T[I+Y+3]=0),p===!0&&(s.fromBufferAttribute(k,G),T[I+Y+4]=s.x,T[I+Y+5]=s.y,T[I+Y+6]=s.z,T[I+Y+7]=0),y===!0&&(s.fromBufferAttribute(V,G),T[I+Y+8]=s.x,T[I+Y+9]=s.y,T[I+Y+10]=s.z,T[I+Y+11]=V.itemSize===4?s.w:1)}}f={count:u,texture:x,size:new qt(v,R)},n.set(a,f),a.addEventListener("dispose",B)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)c.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let d=0;for(let y=0;y<l.length;y++)d+=l[y];let p=a.morphTargetsRelative?1:1-d;c.getUniforms().setValue(i,"morphTargetBaseInfluence",p),c.getUniforms().setValue(i,"morphTargetInfluences",l)}c.getUniforms().setValue(i,"morphTargetsTexture",f.texture,e),c.getUniforms().setValue(i,"morphTargetsTextureSize",f.size)}return{update:r}}function kv(i,t,e,n,s){let r=new WeakMap;function o(l){let h=s.render.frame,u=l.geometry,f=t.get(l,u);if(r.get(f)!==h&&(t.update(f),r.set(f,h)),l.isInstancedMesh&&(l.hasEventListener("dispose",c)===!1&&l.addEventListener("dispose",c),r.get(l)!==h&&(e.update(l.instanceMatrix,i.ARRAY_BUFFER),l.instanceColor!==null&&e.update(l.instanceColor,i.ARRAY_BUFFER),r.set(l,h))),l.isSkinnedMesh){let d=l.skeleton;r.get(d)!==h&&(d.update(),r.set(d,h))}return f}function a(){r=new WeakMap}function c(l){let h=l.target;h.removeEventListener("dispose",c),n.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var zv={[mu]:"LINEAR_TONE_MAPPING",[gu]:"REINHARD_TONE_MAPPING",[_u]:"CINEON_TONE_MAPPING",[xu]:"ACES_FILMIC_TONE_MAPPING",[vu]:"AGX_TONE_MAPPING",[ga]:"NEUTRAL_TONE_MAPPING",[yu]:"CUSTOM_TONE_MAPPING"};function Vv(i,t,e,n,s,r){let o=new ai(t,e,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,c=null,l=null,h=new Ye;h.setAttribute("position",new tn([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new tn([0,2,0,0,2,0],2));let u=new Dl({uniforms:{tDiffuse:{value:null}},vertexShader:`
precision highp float;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
attribute vec3 position;
attribute vec2 uv;
varying vec2 vUv;
void main() {
vUv = uv;
gl_Position = projectionMatrix * modelViewMatrix * vec4(position,1.0);
}`,fragmentShader:`
precision highp float;
uniform sampler2D tDiffuse;
varying vec2 vUv;
#include <tonemapping_pars_fragment>
#include <colorspace_pars_fragment>
void main() {
gl_FragColor = texture2D(tDiffuse,vUv);
#ifdef LINEAR_TONE_MAPPING
gl_FragColor.rgb = LinearToneMapping(gl_FragColor.rgb);
#elif defined( REINHARD_TONE_MAPPING )
gl_FragColor.rgb = ReinhardToneMapping(gl_FragColor.rgb);
#elif defined( CINEON_TONE_MAPPING )
gl_FragColor.rgb = CineonToneMapping(gl_FragColor.rgb);
#elif defined( ACES_FILMIC_TONE_MAPPING )
gl_FragColor.rgb = ACESFilmicToneMapping(gl_FragColor.rgb);
#elif defined( AGX_TONE_MAPPING )
gl_FragColor.rgb = AgXToneMapping(gl_FragColor.rgb);
#elif defined( NEUTRAL_TONE_MAPPING )
gl_FragColor.rgb = NeutralToneMapping(gl_FragColor.rgb);
#elif defined( CUSTOM_TONE_MAPPING )
gl_FragColor.rgb = CustomToneMapping(gl_FragColor.rgb);
#endif
#ifdef SRGB_TRANSFER
gl_FragColor = sRGBTransferOETF(gl_FragColor);
#endif
}`,depthTest:!1,depthWrite:!1}),f=new ve(h,u),d=new ua(-1,1,1,-1,0,1),p=null,y=null,m=!1,g,M=null,A=[],v=!1;this.setSize=function(R,T){o.setSize(R,T),a!==null&&a.setSize(R,T),c!==null&&c.setSize(R,T);for(let x=0;x<A.length;x++){let E=A[x];E.setSize&&E.setSize(R,T)}},this.setEffects=function(R){A=R,v=A.length>0&&A[0].isRenderPass===!0;let T=o.width,x=o.height;A.length>0&&a===null&&(a=new ai(T,x,{type:Di,depthBuffer:!1,stencilBuffer:!1}),c=new ai(T,x,{type:Di,depthBuffer:!1,stencilBuffer:!1}));let E=s===!0&&A.some(B=>B.needsDepthTexture===!0);E!==(o.depthTexture!==null)&&(E===!0&&l===null&&(l=new fs(T,x),r===!0&&(l.format=gs,l.type=ar)),o.dispose(),o.depthTexture=E?l:null,o.resolveDepthBuffer=E,o.storeMultisampledDepthBuffer=E);for(let B=0;B<A.length;B++){let L=A[B];L.setSize&&L.setSize(T,x),E&&L.needsDepthTexture===!0&&L.setDepthTexture&&L.setDepthTexture(l)}},this.begin=function(R,T){if(m||R.toneMapping===Ji&&A.length===0)return!1;if(M=T,T!==null){let x=T.width,E=T.height;(o.width!==x||o.height!==E)&&this.setSize(x,E)}return v===!1&&R.setRenderTarget(o),g=R.toneMapping,R.toneMapping=Ji,!0},this.hasRenderPass=function(){return v},this.end=function(R,T){R.toneMapping=g,m=!0;let x=o,E=a;for(let B=0;B<A.length;B++){let L=A[B];L.enabled!==!1&&(L.render(R,E,x,T),L.needsSwap!==!1&&(x=E,E=E===a?c:a))}if(p!==R.outputColorSpace||y!==R.toneMapping){p=R.outputColorSpace,y=R.toneMapping,u.defines={},_e.getTransfer(p)===Re&&(u.defines.SRGB_TRANSFER="");let B=zv[y];B&&(u.defines[B]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=x.texture,R.setRenderTarget(M),R.render(f,d),M=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),c!==null&&c.dispose(),h.dispose(),u.dispose()}}var hm=new Gn,um=new fs(1,1),fm=new ea(1),dm=new $o,pm=new Cl,mm=new ta,Hp=[],Wp=[],Xp=new Float32Array(16),qp=new Float32Array(9),Yp=new Float32Array(4);function fo(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=Hp[s];if(r===void 0&&(r=new Float32Array(s),Hp[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function Sn(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function Mn(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function Fc(i,t){let e=Wp[t];e===void 0&&(e=new Int32Array(t),Wp[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function Gv(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function Hv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Sn(e,t))return;i.uniform2fv(this.addr,t),Mn(e,t)}}function Wv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(Sn(e,t))return;i.uniform3fv(this.addr,t),Mn(e,t)}}function Xv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Sn(e,t))return;i.uniform4fv(this.addr,t),Mn(e,t)}}function qv(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Sn(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),Mn(e,t)}else{if(Sn(e,n))return;Yp.set(n),i.uniformMatrix2fv(this.addr,!1,Yp),Mn(e,n)}}function Yv(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Sn(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),Mn(e,t)}else{if(Sn(e,n))return;qp.set(n),i.uniformMatrix3fv(this.addr,!1,qp),Mn(e,n)}}function Zv(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Sn(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),Mn(e,t)}else{if(Sn(e,n))return;Xp.set(n),i.uniformMatrix4fv(this.addr,!1,Xp),Mn(e,n)}}function $v(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function Jv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Sn(e,t))return;i.uniform2iv(this.addr,t),Mn(e,t)}}function Kv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Sn(e,t))return;i.uniform3iv(this.addr,t),Mn(e,t)}}function jv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Sn(e,t))return;i.uniform4iv(this.addr,t),Mn(e,t)}}function Qv(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function tS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Sn(e,t))return;i.uniform2uiv(this.addr,t),Mn(e,t)}}function eS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Sn(e,t))return;i.uniform3uiv(this.addr,t),Mn(e,t)}}function nS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Sn(e,t))return;i.uniform4uiv(this.addr,t),Mn(e,t)}}function Oc(i){return i.version===0&&(i.compareFunction=Pu,i.needsUpdate=!0),i}function iS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=Oc(um):r=hm,e.setTexture2D(t||r,s)}function sS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||pm,s)}function rS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=Oc(fm):r=mm,e.setTextureCube(t||r,s)}function oS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||dm,s)}function aS(i){switch(i){case 5126:return Gv;case 35664:return Hv;case 35665:return Wv;case 35666:return Xv;case 35674:return qv;case 35675:return Yv;case 35676:return Zv;case 5124:case 35670:return $v;case 35667:case 35671:return Jv;case 35668:case 35672:return Kv;case 35669:case 35673:return jv;case 5125:return Qv;case 36294:return tS;case 36295:return eS;case 36296:return nS;case 35678:case 36198:case 36298:case 36306:case 35682:return iS;case 35679:case 36299:case 36307:return sS;case 35680:case 36300:case 36308:case 36293:return rS;case 36289:case 36303:case 36311:case 36292:return oS}}function lS(i,t){i.uniform1fv(this.addr,t)}function cS(i,t){let e=fo(t,this.size,2);i.uniform2fv(this.addr,e)}function hS(i,t){let e=fo(t,this.size,3);i.uniform3fv(this.addr,e)}function uS(i,t){let e=fo(t,this.size,4);i.uniform4fv(this.addr,e)}function fS(i,t){let e=fo(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function dS(i,t){let e=fo(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function pS(i,t){let e=fo(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function mS(i,t){i.uniform1iv(this.addr,t)}function gS(i,t){i.uniform2iv(this.addr,t)}function _S(i,t){i.uniform3iv(this.addr,t)}function xS(i,t){i.uniform4iv(this.addr,t)}function yS(i,t){i.uniform1uiv(this.addr,t)}function vS(i,t){i.uniform2uiv(this.addr,t)}function SS(i,t){i.uniform3uiv(this.addr,t)}function MS(i,t){i.uniform4uiv(this.addr,t)}function bS(i,t,e){let n=this.cache,s=t.length,r=Fc(e,s);Sn(n,r)||(i.uniform1iv(this.addr,r),Mn(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=Oc(um):o=hm;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function wS(i,t,e){let n=this.cache,s=t.length,r=Fc(e,s);Sn(n,r)||(i.uniform1iv(this.addr,r),Mn(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||pm,r[o])}function ES(i,t,e){let n=this.cache,s=t.length,r=Fc(e,s);Sn(n,r)||(i.uniform1iv(this.addr,r),Mn(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=Oc(fm):o=mm;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function TS(i,t,e){let n=this.cache,s=t.length,r=Fc(e,s);Sn(n,r)||(i.uniform1iv(this.addr,r),Mn(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||dm,r[o])}function AS(i){switch(i){case 5126:return lS;case 35664:return cS;case 35665:return hS;case 35666:return uS;case 35674:return fS;case 35675:return dS;case 35676:return pS;case 5124:case 35670:return mS;case 35667:case 35671:return gS;case 35668:case 35672:return _S;case 35669:case 35673:return xS;case 5125:return yS;case 36294:return vS;case 36295:return SS;case 36296:return MS;case 35678:case 36198:case 36298:case 36306:case 35682:return bS;case 35679:case 36299:case 36307:return wS;case 35680:case 36300:case 36308:case 36293:return ES;case 36289:case 36303:case 36311:case 36292:return TS}}var Gu=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=aS(e.type)}},Hu=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=AS(e.type)}},Wu=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},zu=/(\w+)(\])?(\[|\.)?/g;function Zp(i,t){i.seq.push(t),i.map[t.id]=t}function RS(i,t,e){let n=i.name,s=n.length;for(zu.lastIndex=0;;){let r=zu.exec(n),o=zu.lastIndex,a=r[1],c=r[2]==="]",l=r[3];if(c&&(a=a|0),l===void 0||l==="["&&o+2===s){Zp(e,l===void 0?new Gu(a,i,t):new Hu(a,i,t));break}else{let u=e.map[a];u===void 0&&(u=new Wu(a),Zp(e,u)),e=u}}}var ho=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=t.getActiveUniform(e,o),c=t.getUniformLocation(e,a.name);RS(a,c,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],c=n[a.id];c.needsUpdate!==!1&&a.setValue(t,c.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function $p(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var CS=37297,PS=0;function IS(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var Jp=new ne;function LS(i){_e._getMatrix(Jp,_e.workingColorSpace,i);let t=`mat3( ${Jp.elements.map(e=>e.toFixed(4))} )`;switch(_e.getTransfer(i)){case Yo:return[t,"LinearTransferOETF"];case Re:return[t,"sRGBTransferOETF"];default:return Xt("WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function Kp(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`
`+r+`
`+IS(i.getShaderSource(t),a)}else return r}function DS(i,t){let e=LS(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var NS={[mu]:"Linear",[gu]:"Reinhard",[_u]:"Cineon",[xu]:"ACESFilmic",[vu]:"AgX",[ga]:"Neutral",[yu]:"Custom"};function US(i,t){let e=NS[t];return e===void 0?(Xt("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var Nc=new U;function FS(){_e.getLuminanceCoefficients(Nc);let i=Nc.x.toFixed(4),t=Nc.y.toFixed(4),e=Nc.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function OS(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Aa).join(`
`)}function BS(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function kS(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function Aa(i){return i!==""}function jp(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function Qp(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var zS=/^[ \t]*#include +<([\w\d./]+)>/gm;function Xu(i){return i.replace(zS,VS)}function VS(i,t){let e=he[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return Xu(e)}var GS=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function tm(i){return i.replace(GS,HS)}function HS(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function em(i){let t=`precision ${i.precision} float;
precision ${i.precision} int;
precision ${i.precision} sampler2D;
precision ${i.precision} samplerCube;
precision ${i.precision} sampler3D;
precision ${i.precision} sampler2DArray;
precision ${i.precision} sampler2DShadow;
precision ${i.precision} samplerCubeShadow;
precision ${i.precision} sampler2DArrayShadow;
precision ${i.precision} isampler2D;
precision ${i.precision} isampler3D;
precision ${i.precision} isamplerCube;
precision ${i.precision} isampler2DArray;
precision ${i.precision} usampler2D;
precision ${i.precision} usampler3D;
precision ${i.precision} usamplerCube;
precision ${i.precision} usampler2DArray;
`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var WS={[sr]:"SHADOWMAP_TYPE_PCF",[ro]:"SHADOWMAP_TYPE_VSM"};function XS(i){return WS[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var qS={[ao]:"ENVMAP_MODE_REFRACTION"};function YS(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":qS[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var ZS={[Yl]:"ENVMAP_BLENDING_MULTIPLY",[gp]:"ENVMAP_BLENDING_MIX",[_p]:"ENVMAP_BLENDING_ADD"};function $S(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":ZS[i.combine]||"ENVMAP_BLENDING_NONE"}function JS(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,c=XS(e),l=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=YS(e),u=$S(e),f=OS(e),d=BS(r),p=s.createProgram(),y,m,g=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(y=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(Aa).join(`
`),y.length>0&&(y+=`
`),m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(Aa).join(`
`),m.length>0&&(m+=`
`)):(y=[em(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+c:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Aa).join(`
`),m=[em(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+l:"",e.envMap?"#define "+h:"",e.envMap?"#define "+u:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+c:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==Ji?"#define TONE_MAPPING":"",e.toneMapping!==Ji?he.tonemapping_pars_fragment:"",e.toneMapping!==Ji?US("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",he.colorspace_pars_fragment,DS("linearToOutputTexel",e.outputColorSpace),FS(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(Aa).join(`
`)),o=Xu(o),o=jp(o,e),o=Qp(o,e),a=Xu(a),a=jp(a,e),a=Qp(a,e),o=tm(o),a=tm(a),e.isRawShaderMaterial!==!0&&(g=`#version 300 es
`,y=[f,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+y,m=["#define varying in",e.glslVersion===Ea?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===Ea?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let M=g+y+o,A=g+m+a,v=$p(s,s.VERTEX_SHADER,M),R=$p(s,s.FRAGMENT_SHADER,A);s.attachShader(p,v),s.attachShader(p,R),e.index0AttributeName!==void 0?s.bindAttribLocation(p,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(p,0,"position"),s.linkProgram(p);function T(L){if(i.debug.checkShaderErrors){let D=s.getProgramInfoLog(p)||"",k=s.getShaderInfoLog(v)||"",V=s.getShaderInfoLog(R)||"",I=D.trim(),G=k.trim(),Y=V.trim(),H=!0,at=!0;if(s.getProgramParameter(p,s.LINK_STATUS)===!1)if(H=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,p,v,R);else{let $=Kp(s,v,"vertex"),j=Kp(s,R,"fragment");te("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(p,s.VALIDATE_STATUS)+`
Material Name: `+L.name+`
Material Type: `+L.type+`
Program Info Log: `+I+`
`+$+`
`+j)}else I!==""?Xt("WebGLProgram: Program Info Log:",I):(G===""||Y==="")&&(at=!1);at&&(L.diagnostics={runnable:H,programLog:I,vertexShader:{log:G,prefix:y},fragmentShader:{log:Y,prefix:m}})}s.deleteShader(v),s.deleteShader(R),x=new ho(s,p),E=kS(s,p)}let x;this.getUniforms=function(){return x===void 0&&T(this),x};let E;this.getAttributes=function(){return E===void 0&&T(this),E};let B=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return B===!1&&(B=s.getProgramParameter(p,CS)),B},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(p),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=PS++,this.cacheKey=t,this.usedTimes=1,this.program=p,this.vertexShader=v,this.fragmentShader=R,this}var KS=0,qu=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,n){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new Yu(t),e.set(t,n)),n}},Yu=class{constructor(t){this.id=KS++,this.code=t,this.usedTimes=0}};function jS(i){return i===Vs||i===Ma||i===ba}function QS(i,t,e,n,s,r){let o=new Jr,a=new qu,c=new Set,l=[],h=new Map,u=n.logarithmicDepthBuffer,f={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function d(x){return c.add(x),x===0?"uv":`uv${x}`}function p(x,E,B,L,D,k){let V=L.fog,I=D.geometry,G=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?L.environment:null,Y=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,H=t.get(x.envMap||G,Y),at=f[x.type],$=n.precision;x.precision!==null&&($=n.getMaxPrecision(x.precision),$!==x.precision&&Xt("WebGLProgram.getParameters:",x.precision,"not supported, using",$,"instead."));let j=I.morphAttributes.position||I.morphAttributes.normal||I.morphAttributes.color,nt=j!==void 0?j.length:0,ut=0;I.morphAttributes.position!==void 0&&(ut=1),I.morphAttributes.normal!==void 0&&(ut=2),I.morphAttributes.color!==void 0&&(ut=3);let ht,Q,pt,xt;if(at){let Rt=ji[at];ht=Rt.vertexShader,Q=Rt.fragmentShader}else{ht=x.vertexShader,Q=x.fragmentShader;let Rt=a.getVertexShaderStage(x),ae=a.getFragmentShaderStage(x);a.update(x,Rt,ae),pt=Rt.id,xt=ae.id}let At=i.getRenderTarget(),Mt=i.state.buffers.depth.getReversed(),Ht=D.isInstancedMesh===!0,re=D.isBatchedMesh===!0,Vt=!!x.map,ue=!!x.matcap,le=!!H,ie=le&&H.isPMREMTexture===!0,Xe=!!x.aoMap,Be=!!x.lightMap,an=!!x.bumpMap&&x.wireframe===!1,De=!!x.normalMap,Tn=!!x.displacementMap,ye=!!x.emissiveMap,_n=!!x.metalnessMap,$e=!!x.roughnessMap,ln=x.anisotropy>0,O=x.clearcoat>0,Ct=x.diffuseRoughness>0,Jt=x.dispersion>0,oe=x.retroreflectivity>0,bt=x.iridescence>0,Ue=x.sheen>0,zt=x.transmission>0,$t=ln&&!!x.anisotropyMap,C=O&&!!x.clearcoatMap,S=O&&!!x.clearcoatNormalMap,X=O&&!!x.clearcoatRoughnessMap,ct=Ct&&!!x.diffuseRoughnessMap,rt=bt&&!!x.iridescenceMap,gt=bt&&!!x.iridescenceThicknessMap,yt=Ue&&!!x.sheenColorMap,tt=Ue&&!!x.sheenRoughnessMap,it=!!x.specularMap,dt=!!x.specularColorMap,F=!!x.specularIntensityMap,st=zt&&!!x.transmissionMap,et=zt&&!!x.thicknessMap,wt=!!x.gradientMap,mt=!!x.alphaMap,St=x.alphaTest>0,Gt=!!x.alphaHash,jt=!!x.extensions,lt=Ji;x.toneMapped&&(At===null||At.isXRRenderTarget===!0)&&(lt=i.toneMapping);let Ot=ie?H.isCompressedCubeTexture?H.image[0].mipmaps:H.mipmaps:null,Qt={shaderID:at,shaderType:x.type,shaderName:x.name,vertexShader:ht,fragmentShader:Q,defines:x.defines,customVertexShaderID:pt,customFragmentShaderID:xt,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:$,batching:re,batchingColor:re&&D._colorsTexture!==null,instancing:Ht,instancingColor:Ht&&D.instanceColor!==null,instancingMorph:Ht&&D.morphTexture!==null,outputColorSpace:At===null?i.outputColorSpace:At.isXRRenderTarget===!0?At.texture.colorSpace:_e.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:Vt,matcap:ue,envMap:le,envMapMode:le&&H.mapping,envMapPMREM:ie,envMapMaxLod:ie?Ot.length-1:null,envMapSize:ie?Ot[0].width:null,aoMap:Xe,lightMap:Be,bumpMap:an,normalMap:De,displacementMap:Tn,emissiveMap:ye,normalMapObjectSpace:De&&x.normalMapType===Sp,normalMapTangentSpace:De&&x.normalMapType===wa,packedNormalMap:De&&x.normalMapType===wa&&jS(x.normalMap.format),metalnessMap:_n,roughnessMap:$e,anisotropy:ln,anisotropyMap:$t,clearcoat:O,clearcoatMap:C,clearcoatNormalMap:S,clearcoatRoughnessMap:X,diffuseRoughness:Ct,diffuseRoughnessMap:ct,dispersion:Jt,retroreflection:oe,iridescence:bt,iridescenceMap:rt,iridescenceThicknessMap:gt,sheen:Ue,sheenColorMap:yt,sheenRoughnessMap:tt,specularMap:it,specularColorMap:dt,specularIntensityMap:F,transmission:zt,transmissionMap:st,thicknessMap:et,gradientMap:wt,opaque:x.transparent===!1&&x.blending===oo&&x.alphaToCoverage===!1,alphaMap:mt,alphaTest:St,alphaHash:Gt,combine:x.combine,mapUv:Vt&&d(x.map.channel),aoMapUv:Xe&&d(x.aoMap.channel),lightMapUv:Be&&d(x.lightMap.channel),bumpMapUv:an&&d(x.bumpMap.channel),normalMapUv:De&&d(x.normalMap.channel),displacementMapUv:Tn&&d(x.displacementMap.channel),emissiveMapUv:ye&&d(x.emissiveMap.channel),metalnessMapUv:_n&&d(x.metalnessMap.channel),roughnessMapUv:$e&&d(x.roughnessMap.channel),anisotropyMapUv:$t&&d(x.anisotropyMap.channel),clearcoatMapUv:C&&d(x.clearcoatMap.channel),clearcoatNormalMapUv:S&&d(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:X&&d(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ct&&d(x.diffuseRoughnessMap.channel),iridescenceMapUv:rt&&d(x.iridescenceMap.channel),iridescenceThicknessMapUv:gt&&d(x.iridescenceThicknessMap.channel),sheenColorMapUv:yt&&d(x.sheenColorMap.channel),sheenRoughnessMapUv:tt&&d(x.sheenRoughnessMap.channel),specularMapUv:it&&d(x.specularMap.channel),specularColorMapUv:dt&&d(x.specularColorMap.channel),specularIntensityMapUv:F&&d(x.specularIntensityMap.channel),transmissionMapUv:st&&d(x.transmissionMap.channel),thicknessMapUv:et&&d(x.thicknessMap.channel),alphaMapUv:mt&&d(x.alphaMap.channel),vertexTangents:!!I.attributes.tangent&&(De||ln),vertexNormals:!!I.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!I.attributes.color&&I.attributes.color.itemSize===4,pointsUvs:D.isPoints===!0&&!!I.attributes.uv&&(Vt||mt),fog:!!V,useFog:x.fog===!0,fogExp2:!!V&&V.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||I.attributes.normal===void 0&&De===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:Mt,skinning:D.isSkinnedMesh===!0,hasPositionAttribute:I.attributes.position!==void 0,morphTargets:I.morphAttributes.position!==void 0,morphNormals:I.morphAttributes.normal!==void 0,morphColors:I.morphAttributes.color!==void 0,morphTargetsCount:nt,morphTextureStride:ut,numSunLights:E.sun.length,numDirLights:E.directional.length,numPointLights:E.point.length,numSpotLights:E.spot.length,numSpotLightMaps:E.spotLightMap.length,numRectAreaLights:E.rectArea.length,numHemiLights:E.hemi.length,numSunLightShadows:E.sunShadowMap.length,numDirLightShadows:E.directionalShadowMap.length,numPointLightShadows:E.pointShadowMap.length,numSpotLightShadows:E.spotShadowMap.length,numSpotLightShadowsWithMaps:E.numSpotLightShadowsWithMaps,numLightProbes:E.numLightProbes,numLightProbeGrids:k.filter(Rt=>Rt.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:i.shadowMap.enabled&&B.length>0,shadowMapType:i.shadowMap.type,toneMapping:lt,decodeVideoTexture:Vt&&x.map.isVideoTexture===!0&&_e.getTransfer(x.map.colorSpace)===Re,decodeVideoTextureEmissive:ye&&x.emissiveMap.isVideoTexture===!0&&_e.getTransfer(x.emissiveMap.colorSpace)===Re,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===vn,flipSided:x.side===Bn,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:jt&&x.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(jt&&x.extensions.multiDraw===!0||re)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return Qt.vertexUv1s=c.has(1),Qt.vertexUv2s=c.has(2),Qt.vertexUv3s=c.has(3),c.clear(),Qt}function y(x){let E=[];if(x.shaderID?E.push(x.shaderID):(E.push(x.customVertexShaderID),E.push(x.customFragmentShaderID)),x.defines!==void 0)for(let B in x.defines)E.push(B),E.push(x.defines[B]);return x.isRawShaderMaterial===!1&&(m(E,x),g(E,x),E.push(i.outputColorSpace)),E.push(x.customProgramCacheKey),E.join()}function m(x,E){x.push(E.precision),x.push(E.outputColorSpace),x.push(E.envMapMode),x.push(E.envMapPMREM),x.push(E.envMapMaxLod),x.push(E.envMapSize),x.push(E.mapUv),x.push(E.alphaMapUv),x.push(E.lightMapUv),x.push(E.aoMapUv),x.push(E.bumpMapUv),x.push(E.normalMapUv),x.push(E.displacementMapUv),x.push(E.emissiveMapUv),x.push(E.metalnessMapUv),x.push(E.roughnessMapUv),x.push(E.anisotropyMapUv),x.push(E.clearcoatMapUv),x.push(E.clearcoatNormalMapUv),x.push(E.clearcoatRoughnessMapUv),x.push(E.diffuseRoughnessMapUv),x.push(E.iridescenceMapUv),x.push(E.iridescenceThicknessMapUv),x.push(E.sheenColorMapUv),x.push(E.sheenRoughnessMapUv),x.push(E.specularMapUv),x.push(E.specularColorMapUv),x.push(E.specularIntensityMapUv),x.push(E.transmissionMapUv),x.push(E.thicknessMapUv),x.push(E.combine),x.push(E.fogExp2),x.push(E.sizeAttenuation),x.push(E.morphTargetsCount),x.push(E.numSunLights),x.push(E.numDirLights),x.push(E.numPointLights),x.push(E.numSpotLights),x.push(E.numSpotLightMaps),x.push(E.numHemiLights),x.push(E.numRectAreaLights),x.push(E.numSunLightShadows),x.push(E.numDirLightShadows),x.push(E.numPointLightShadows),x.push(E.numSpotLightShadows),x.push(E.numSpotLightShadowsWithMaps),x.push(E.numLightProbes),x.push(E.numLightProbeGrids),x.push(E.shadowMapType),x.push(E.toneMapping),x.push(E.numClippingPlanes),x.push(E.numClipIntersection),x.push(E.depthPacking)}function g(x,E){o.disableAll(),E.instancing&&o.enable(0),E.instancingColor&&o.enable(1),E.instancingMorph&&o.enable(2),E.matcap&&o.enable(3),E.envMap&&o.enable(4),E.normalMapObjectSpace&&o.enable(5),E.normalMapTangentSpace&&o.enable(6),E.clearcoat&&o.enable(7),E.iridescence&&o.enable(8),E.alphaTest&&o.enable(9),E.vertexColors&&o.enable(10),E.vertexAlphas&&o.enable(11),E.vertexUv1s&&o.enable(12),E.vertexUv2s&&o.enable(13),E.vertexUv3s&&o.enable(14),E.vertexTangents&&o.enable(15),E.anisotropy&&o.enable(16),E.alphaHash&&o.enable(17),E.batching&&o.enable(18),E.dispersion&&o.enable(19),E.retroreflection&&o.enable(24),E.diffuseRoughness&&o.enable(25),E.batchingColor&&o.enable(20),E.gradientMap&&o.enable(21),E.packedNormalMap&&o.enable(22),E.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),E.fog&&o.enable(0),E.useFog&&o.enable(1),E.flatShading&&o.enable(2),E.logarithmicDepthBuffer&&o.enable(3),E.reversedDepthBuffer&&o.enable(4),E.skinning&&o.enable(5),E.morphTargets&&o.enable(6),E.morphNormals&&o.enable(7),E.morphColors&&o.enable(8),E.premultipliedAlpha&&o.enable(9),E.shadowMapEnabled&&o.enable(10),E.doubleSided&&o.enable(11),E.flipSided&&o.enable(12),E.useDepthPacking&&o.enable(13),E.dithering&&o.enable(14),E.transmission&&o.enable(15),E.sheen&&o.enable(16),E.opaque&&o.enable(17),E.pointsUvs&&o.enable(18),E.decodeVideoTexture&&o.enable(19),E.decodeVideoTextureEmissive&&o.enable(20),E.alphaToCoverage&&o.enable(21),E.numLightProbeGrids>0&&o.enable(22),E.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function M(x){let E=f[x.type],B;if(E){let L=ji[E];B=Fp.clone(L.uniforms)}else B=x.uniforms;return B}function A(x,E){let B=h.get(E);return B!==void 0?++B.usedTimes:(B=new JS(i,E,x,s),l.push(B),h.set(E,B)),B}function v(x){if(--x.usedTimes===0){let E=l.indexOf(x);l[E]=l[l.length-1],l.pop(),h.delete(x.cacheKey),x.destroy()}}function R(x){a.remove(x)}function T(){a.dispose()}return{getParameters:p,getProgramCacheKey:y,getUniforms:M,acquireProgram:A,releaseProgram:v,releaseShaderCache:R,programs:l,dispose:T}}function tM(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,c){i.get(o)[a]=c}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function eM(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.materialVariant!==t.materialVariant?i.materialVariant-t.materialVariant:i.z!==t.z?i.z-t.z:i.id-t.id}function nm(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function im(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(f){let d=0;return f.isInstancedMesh&&(d+=2),f.isSkinnedMesh&&(d+=1),d}function a(f,d,p,y,m,g){let M=i[t];return M===void 0?(M={id:f.id,object:f,geometry:d,material:p,materialVariant:o(f),groupOrder:y,renderOrder:f.renderOrder,z:m,group:g},i[t]=M):(M.id=f.id,M.object=f,M.geometry=d,M.material=p,M.materialVariant=o(f),M.groupOrder=y,M.renderOrder=f.renderOrder,M.z=m,M.group=g),t++,M}function c(f,d,p,y,m,g,M){M.reversedDepth===!0&&(m=-m);let A=a(f,d,p,y,m,g);p.transmission>0?n.push(A):p.transparent===!0?s.push(A):e.push(A)}function l(f,d,p,y,m,g){let M=a(f,d,p,y,m,g);p.transmission>0?n.unshift(M):p.transparent===!0?s.unshift(M):e.unshift(M)}function h(f,d){e.length>1&&e.sort(f||eM),n.length>1&&n.sort(d||nm),s.length>1&&s.sort(d||nm)}function u(){for(let f=t,d=i.length;f<d;f++){let p=i[f];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:c,unshift:l,finish:u,sort:h}}function nM(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new im,i.set(n,[o])):s>=r.length?(o=new im,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function iM(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new U,color:new Zt};break;case"SpotLight":e={position:new U,direction:new U,color:new Zt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new U,color:new Zt,distance:0,decay:0};break;case"HemisphereLight":e={direction:new U,skyColor:new Zt,groundColor:new Zt};break;case"RectAreaLight":e={color:new Zt,position:new U,halfWidth:new U,halfHeight:new U};break}return i[t.id]=e,e}}}function sM(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new qt};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new qt};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new qt,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var rM=0;function oM(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function aM(i){let t=new iM,e=sM(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let l=0;l<9;l++)n.probe.push(new U);let s=new U,r=new Yt,o=new Yt;function a(l){let h=0,u=0,f=0;for(let k=0;k<9;k++)n.probe[k].set(0,0,0);let d=0,p=0,y=0,m=0,g=0,M=0,A=0,v=0,R=0,T=0,x=0,E=0,B=0,L=0;l.sort(oM);for(let k=0,V=l.length;k<V;k++){let I=l[k],G=I.color,Y=I.intensity,H=I.distance,at=null;if(I.shadow&&I.shadow.map&&(I.shadow.map.texture.format===Vs?at=I.shadow.map.texture:at=I.shadow.map.depthTexture||I.shadow.map.texture),I.isAmbientLight)h+=G.r*Y,u+=G.g*Y,f+=G.b*Y;else if(I.isLightProbe){for(let $=0;$<9;$++)n.probe[$].addScaledVector(I.sh.coefficients[$],Y);L++}else if(I.isSunLight){let $=t.get(I);if($.color.copy(I.color).multiplyScalar(I.intensity),I.castShadow){let j=I.shadow,nt=e.get(I);nt.shadowIntensity=j.intensity,nt.shadowBias=j.bias,nt.shadowNormalBias=j.normalBias,nt.shadowRadius=j.radius,nt.shadowMapSize.copy(j.mapSize).multiply(j.getFrameExtents()),n.sunShadow[p]=nt,n.sunShadowMap[p]=at;let ut=j.getViewportCount();for(let ht=0;ht<ut;ht++)n.sunShadowMatrix[y+ht]=j.getMatrix(ht),n.sunShadowCascade[y+ht]=j._cascadeData[ht];y+=ut,p++}n.sun[d]=$,d++}else if(I.isDirectionalLight){let $=t.get(I);if($.color.copy(I.color).multiplyScalar(I.intensity),I.castShadow){let j=I.shadow,nt=e.get(I);nt.shadowIntensity=j.intensity,nt.shadowBias=j.bias,nt.shadowNormalBias=j.normalBias,nt.shadowRadius=j.radius,nt.shadowMapSize=j.mapSize,n.directionalShadow[m]=nt,n.directionalShadowMap[m]=at,n.directionalShadowMatrix[m]=I.shadow.matrix,R++}n.directional[m]=$,m++}else if(I.isSpotLight){let $=t.get(I);$.position.setFromMatrixPosition(I.matrixWorld),$.color.copy(G).multiplyScalar(Y),$.distance=H,$.coneCos=Math.cos(I.angle),$.penumbraCos=Math.cos(I.angle*(1-I.penumbra)),$.decay=I.decay,n.spot[M]=$;let j=I.shadow;if(I.map&&(n.spotLightMap[E]=I.map,E++,j.updateMatrices(I),I.castShadow&&B++),n.spotLightMatrix[M]=j.matrix,I.castShadow){let nt=e.get(I);nt.shadowIntensity=j.intensity,nt.shadowBias=j.bias,nt.shadowNormalBias=j.normalBias,nt.shadowRadius=j.radius,nt.shadowMapSize=j.mapSize,n.spotShadow[M]=nt,n.spotShadowMap[M]=at,x++}M++}else if(I.isRectAreaLight){let $=t.get(I);$.color.copy(G).multiplyScalar(Y),$.halfWidth.set(I.width*.5,0,0),$.halfHeight.set(0,I.height*.5,0),n.rectArea[A]=$,A++}else if(I.isPointLight){let $=t.get(I);if($.color.copy(I.color).multiplyScalar(I.intensity),$.distance=I.distance,$.decay=I.decay,I.castShadow){let j=I.shadow,nt=e.get(I);nt.shadowIntensity=j.intensity,nt.shadowBias=j.bias,nt.shadowNormalBias=j.normalBias,nt.shadowRadius=j.radius,nt.shadowMapSize=j.mapSize,nt.shadowCameraNear=j.camera.near,nt.shadowCameraFar=j.camera.far,n.pointShadow[g]=nt,n.pointShadowMap[g]=at,n.pointShadowMatrix[g]=I.shadow.matrix,T++}n.point[g]=$,g++}else if(I.isHemisphereLight){let $=t.get(I);$.skyColor.copy(I.color).multiplyScalar(Y),$.groundColor.copy(I.groundColor).multiplyScalar(Y),n.hemi[v]=$,v++}}A>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Lt.LTC_FLOAT_1,n.rectAreaLTC2=Lt.LTC_FLOAT_2):(n.rectAreaLTC1=Lt.LTC_HALF_1,n.rectAreaLTC2=Lt.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=f;let D=n.hash;(D.sunLength!==d||D.directionalLength!==m||D.pointLength!==g||D.spotLength!==M||D.rectAreaLength!==A||D.hemiLength!==v||D.numSunShadows!==p||D.numDirectionalShadows!==R||D.numPointShadows!==T||D.numSpotShadows!==x||D.numSpotMaps!==E||D.numLightProbes!==L)&&(n.sun.length=d,n.directional.length=m,n.spot.length=M,n.rectArea.length=A,n.point.length=g,n.hemi.length=v,n.sunShadow.length=p,n.sunShadowMap.length=p,n.sunShadowMatrix.length=y,n.sunShadowCascade.length=y,n.directionalShadow.length=R,n.directionalShadowMap.length=R,n.directionalShadowMatrix.length=R,n.pointShadow.length=T,n.pointShadowMap.length=T,n.pointShadowMatrix.length=T,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+E-B,n.spotLightMap.length=E,n.numSpotLightShadowsWithMaps=B,n.numLightProbes=L,D.sunLength=d,D.directionalLength=m,D.pointLength=g,D.spotLength=M,D.rectAreaLength=A,D.hemiLength=v,D.numSunShadows=p,D.numDirectionalShadows=R,D.numPointShadows=T,D.numSpotShadows=x,D.numSpotMaps=E,D.numLightProbes=L,n.version=rM++)}function c(l,h){let u=0,f=0,d=0,p=0,y=0,m=0,g=h.matrixWorldInverse;for(let M=0,A=l.length;M<A;M++){let v=l[M];if(v.isSunLight){let R=n.sun[u];R.direction.setFromMatrixPosition(v.matrixWorld),R.direction.transformDirection(g),u++}else if(v.isDirectionalLight){let R=n.directional[f];R.direction.setFromMatrixPosition(v.matrixWorld),s.setFromMatrixPosition(v.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(g),f++}else if(v.isSpotLight){let R=n.spot[p];R.position.setFromMatrixPosition(v.matrixWorld),R.position.applyMatrix4(g),R.direction.setFromMatrixPosition(v.matrixWorld),s.setFromMatrixPosition(v.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(g),p++}else if(v.isRectAreaLight){let R=n.rectArea[y];R.position.setFromMatrixPosition(v.matrixWorld),R.position.applyMatrix4(g),o.identity(),r.copy(v.matrixWorld),r.premultiply(g),o.extractRotation(r),R.halfWidth.set(v.width*.5,0,0),R.halfHeight.set(0,v.height*.5,0),R.halfWidth.applyMatrix4(o),R.halfHeight.applyMatrix4(o),y++}else if(v.isPointLight){let R=n.point[d];R.position.setFromMatrixPosition(v.matrixWorld),R.position.applyMatrix4(g),d++}else if(v.isHemisphereLight){let R=n.hemi[m];R.direction.setFromMatrixPosition(v.matrixWorld),R.direction.transformDirection(g),m++}}}return{setup:a,setupView:c,state:n}}function sm(i){let t=new aM(i),e=[],n=[],s=[];function r(u){h.camera=u,e.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):e.push(u)}function a(u){n.push(u)}function c(){t.setup(e),s.sort((u,f)=>u.priority-f.priority||u.id-f.id)}function l(u){t.setupView(e,u)}let h={lightsArray:e,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:a}}function lM(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new sm(i),t.set(s,[a])):r>=o.length?(a=new sm(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var cM=`void main() {
gl_Position = vec4(position,1.0);
}`,hM=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
const float samples = float(VSM_SAMPLES);
float mean = 0.0;
float squared_mean = 0.0;
float uvStride = samples <= 1.0 ? 0.0 : 2.0 / (samples - 1.0);
float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
for (float i = 0.0; i < samples; i ++) {
float uvOffset = uvStart + i * uvStride;
#ifdef HORIZONTAL_PASS
vec2 distribution = texture2D(shadow_pass,(gl_FragCoord.xy + vec2(uvOffset,0.0) * radius) / resolution).rg;
mean += distribution.x;
squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
#else
float depth = texture2D(shadow_pass,(gl_FragCoord.xy + vec2(0.0,uvOffset) * radius) / resolution).r;
mean += depth;
squared_mean += depth * depth;
#endif
}
mean = mean / samples;
squared_mean = squared_mean / samples;
float std_dev = sqrt(max(0.0,squared_mean - mean * mean));
gl_FragColor = vec4(mean,std_dev,0.0,1.0);
}`,uM=[new U(1,0,0),new U(-1,0,0),new U(0,1,0),new U(0,-1,0),new U(0,0,1),new U(0,0,-1)],fM=[new U(0,-1,0),new U(0,-1,0),new U(0,0,1),new U(0,0,-1),new U(0,-1,0),new U(0,-1,0)],rm=new Yt,Ta=new U,Vu=new U;function dM(i,t,e){let n=new Ds,s=new qt,r=new qt,o=new Me,a=new Nl,c=new Ul,l={},h=e.maxTextureSize,u={[Mi]:Bn,[Bn]:Mi,[vn]:vn},f=new mn({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new qt},radius:{value:4}},vertexShader:cM,fragmentShader:hM}),d=f.clone();d.defines.HORIZONTAL_PASS=1;let p=new Ye;p.setAttribute("position",new Se(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let y=new ve(p,f),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=sr;let g=this.type;this.render=function(T,x,E){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||T.length===0)return;this.type===Kd&&(Xt("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=sr);let B=i.getRenderTarget(),L=i.getActiveCubeFace(),D=i.getActiveMipmapLevel(),k=i.state;k.setBlending(ps),k.buffers.depth.getReversed()===!0?k.buffers.color.setClear(0,0,0,0):k.buffers.color.setClear(1,1,1,1),k.buffers.depth.setTest(!0),k.setScissorTest(!1);let V=g!==this.type;V&&x.traverse(function(I){I.material&&(Array.isArray(I.material)?I.material.forEach(G=>G.needsUpdate=!0):I.material.needsUpdate=!0)});for(let I=0,G=T.length;I<G;I++){let Y=T[I],H=Y.shadow;if(H===void 0){Xt("WebGLShadowMap:",Y,"has no shadow.");continue}if(H.autoUpdate===!1&&H.needsUpdate===!1)continue;s.copy(H.mapSize);let at=H.getFrameExtents();s.multiply(at),r.copy(H.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/at.x),s.x=r.x*at.x,H.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/at.y),s.y=r.y*at.y,H.mapSize.y=r.y));let $=i.state.buffers.depth.getReversed();if(H.camera._reversedDepth=$,H.map===null||V===!0){if(H.map!==null&&(H.map.depthTexture!==null&&(H.map.depthTexture.dispose(),H.map.depthTexture=null),H.map.dispose()),this.type===ro){if(Y.isPointLight){Xt("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}H.map=new ai(s.x,s.y,{format:Vs,type:Di,minFilter:Fn,magFilter:Fn,generateMipmaps:!1}),H.map.texture.name=Y.name+".shadowMap",H.map.depthTexture=new fs(s.x,s.y,hi),H.map.depthTexture.name=Y.name+".shadowMapDepth",H.map.depthTexture.format=us,H.map.depthTexture.compareFunction=null,H.map.depthTexture.minFilter=Ln,H.map.depthTexture.magFilter=Ln}else Y.isPointLight?(H.map=new Ra(s.x),H.map.depthTexture=new ea(s.x,ci)):(H.map=new ai(s.x,s.y),H.map.depthTexture=new fs(s.x,s.y,ci)),H.map.depthTexture.name=Y.name+".shadowMap",H.map.depthTexture.format=us,this.type===sr?(H.map.depthTexture.compareFunction=$?Cu:Ru,H.map.depthTexture.minFilter=Fn,H.map.depthTexture.magFilter=Fn):(H.map.depthTexture.compareFunction=null,H.map.depthTexture.minFilter=Ln,H.map.depthTexture.magFilter=Ln);H.camera.updateProjectionMatrix()}H.map.isWebGLCubeRenderTarget!==!0&&(H.map.width!==s.x||H.map.height!==s.y)&&H.map.setSize(s.x,s.y);let j=H.map.isWebGLCubeRenderTarget?6:H.getViewportCount();Y.isPointLight!==!0&&H.updateMatrices(Y,E);let nt=(H.camera.layers.mask&4294967294)!==0?H.camera.layers:E.layers;for(let ut=0;ut<j;ut++){let ht=H.getCamera(ut);if(Y.isPointLight){let Q=H.camera,pt=H.matrix,xt=Y.distance||Q.far;xt!==Q.far&&(Q.far=xt,Q.updateProjectionMatrix()),Ta.setFromMatrixPosition(Y.matrixWorld),Q.position.copy(Ta),Vu.copy(Q.position),Vu.add(uM[ut]),Q.up.copy(fM[ut]),Q.lookAt(Vu),Q.updateMatrixWorld(),pt.makeTranslation(-Ta.x,-Ta.y,-Ta.z),rm.multiplyMatrices(Q.projectionMatrix,Q.matrixWorldInverse),H._frustum.setFromProjectionMatrix(rm,Q.coordinateSystem,Q.reversedDepth)}if(H.map.isWebGLCubeRenderTarget)i.setRenderTarget(H.map,ut),i.clear();else{ut===0&&(i.setRenderTarget(H.map),i.clear());let Q=H.getViewport(ut);o.set(r.x*Q.x,r.y*Q.y,r.x*Q.z,r.y*Q.w),k.viewport(o)}n=H.getFrustum(ut),v(x,E,ht,Y,nt,this.type)}H.isPointLightShadow!==!0&&this.type===ro&&M(H,E),H.needsUpdate=!1}g=this.type,m.needsUpdate=!1,i.setRenderTarget(B,L,D)};function M(T,x){let E=t.update(y);f.defines.VSM_SAMPLES!==T.blurSamples&&(f.defines.VSM_SAMPLES=T.blurSamples,d.defines.VSM_SAMPLES=T.blurSamples,f.needsUpdate=!0,d.needsUpdate=!0),T.mapPass===null?T.mapPass=new ai(s.x,s.y,{format:Vs,type:Di}):(T.mapPass.width!==T.map.width||T.mapPass.height!==T.map.height)&&T.mapPass.setSize(T.map.width,T.map.height),f.uniforms.shadow_pass.value=T.map.depthTexture,f.uniforms.resolution.value.set(T.map.width,T.map.height),f.uniforms.radius.value=T.radius,i.setRenderTarget(T.mapPass),i.clear(),i.renderBufferDirect(x,null,E,f,y,null),d.uniforms.shadow_pass.value=T.mapPass.texture,d.uniforms.resolution.value.set(T.map.width,T.map.height),d.uniforms.radius.value=T.radius,i.setRenderTarget(T.map),i.clear(),i.renderBufferDirect(x,null,E,d,y,null)}function A(T,x,E,B){let L=null,D=E.isPointLight===!0?T.customDistanceMaterial:T.customDepthMaterial;if(D!==void 0)L=D;else if(L=E.isPointLight===!0?c:a,i.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let k=L.uuid,V=x.uuid,I=l[k];I===void 0&&(I={},l[k]=I);let G=I[V];G===void 0&&(G=L.clone(),I[V]=G,x.addEventListener("dispose",R)),L=G}if(L.visible=x.visible,L.wireframe=x.wireframe,B===ro?L.side=x.shadowSide!==null?x.shadowSide:x.side:L.side=x.shadowSide!==null?x.shadowSide:u[x.side],L.alphaMap=x.alphaMap,L.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,L.map=x.map,L.clipShadows=x.clipShadows,L.clippingPlanes=x.clippingPlanes,L.clipIntersection=x.clipIntersection,L.displacementMap=x.displacementMap,L.displacementScale=x.displacementScale,L.displacementBias=x.displacementBias,L.wireframeLinewidth=x.wireframeLinewidth,L.linewidth=x.linewidth,E.isPointLight===!0&&L.isMeshDistanceMaterial===!0){let k=i.properties.get(L);k.light=E}return L}function v(T,x,E,B,L,D){if(T.visible===!1)return;if(T.layers.test(L)&&(T.isMesh||T.isLine||T.isPoints)&&(T.castShadow||T.receiveShadow&&D===ro)&&(!T.frustumCulled||T.intersectsFrustum(n))){T.modelViewMatrix.multiplyMatrices(E.matrixWorldInverse,T.matrixWorld);let I=t.update(T),G=T.material;if(Array.isArray(G)){let Y=I.groups;for(let H=0,at=Y.length;H<at;H++){let $=Y[H],j=G[$.materialIndex];if(j&&j.visible){let nt=A(T,j,B,D);T.onBeforeShadow(i,T,x,E,I,nt,$),i.renderBufferDirect(E,null,I,nt,T,$),T.onAfterShadow(i,T,x,E,I,nt,$)}}}else if(G.visible){let Y=A(T,G,B,D);T.onBeforeShadow(i,T,x,E,I,Y,null),i.renderBufferDirect(E,null,I,Y,T,null),T.onAfterShadow(i,T,x,E,I,Y,null)}}let V=T.children;for(let I=0,G=V.length;I<G;I++)v(V[I],x,E,B,L,D)}function R(T){T.target.removeEventListener("dispose",R);for(let E in l){let B=l[E],L=T.target.uuid;L in B&&(B[L].dispose(),delete B[L])}}}function pM(i,t){function e(){let F=!1,st=new Me,et=null,wt=new Me(0,0,0,0);return{setMask:function(mt){et!==mt&&!F&&(i.colorMask(mt,mt,mt,mt),et=mt)},setLocked:function(mt){F=mt},setClear:function(mt,St,Gt,jt,lt){lt===!0&&(mt*=jt,St*=jt,Gt*=jt),st.set(mt,St,Gt,jt),wt.equals(st)===!1&&(i.clearColor(mt,St,Gt,jt),wt.copy(st))},reset:function(){F=!1,et=null,wt.set(-1,0,0,0)}}}function n(){let F=!1,st=!1,et=null,wt=null,mt=null;return{setReversed:function(St){if(st!==St){let Gt=t.get("EXT_clip_control");St?Gt.clipControlEXT(Gt.LOWER_LEFT_EXT,Gt.ZERO_TO_ONE_EXT):Gt.clipControlEXT(Gt.LOWER_LEFT_EXT,Gt.NEGATIVE_ONE_TO_ONE_EXT),st=St;let jt=mt;mt=null,this.setClear(jt)}},getReversed:function(){return st},setTest:function(St){St?Mt(i.DEPTH_TEST):Ht(i.DEPTH_TEST)},setMask:function(St){et!==St&&!F&&(i.depthMask(St),et=St)},setFunc:function(St){if(st&&(St=Lp[St]),wt!==St){switch(St){case yl:i.depthFunc(i.NEVER);break;case Hr:i.depthFunc(i.ALWAYS);break;case vl:i.depthFunc(i.LESS);break;case Wr:i.depthFunc(i.LEQUAL);break;case Sl:i.depthFunc(i.EQUAL);break;case Ml:i.depthFunc(i.GEQUAL);break;case bl:i.depthFunc(i.GREATER);break;case wl:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}wt=St}},setLocked:function(St){F=St},setClear:function(St){mt!==St&&(mt=St,st&&(St=1-St),i.clearDepth(St))},reset:function(){F=!1,et=null,wt=null,mt=null,st=!1}}}function s(){let F=!1,st=null,et=null,wt=null,mt=null,St=null,Gt=null,jt=null,lt=null;return{setTest:function(Ot){F||(Ot?Mt(i.STENCIL_TEST):Ht(i.STENCIL_TEST))},setMask:function(Ot){st!==Ot&&!F&&(i.stencilMask(Ot),st=Ot)},setFunc:function(Ot,Qt,Rt){(et!==Ot||wt!==Qt||mt!==Rt)&&(i.stencilFunc(Ot,Qt,Rt),et=Ot,wt=Qt,mt=Rt)},setOp:function(Ot,Qt,Rt){(St!==Ot||Gt!==Qt||jt!==Rt)&&(i.stencilOp(Ot,Qt,Rt),St=Ot,Gt=Qt,jt=Rt)},setLocked:function(Ot){F=Ot},setClear:function(Ot){lt!==Ot&&(i.clearStencil(Ot),lt=Ot)},reset:function(){F=!1,st=null,et=null,wt=null,mt=null,St=null,Gt=null,jt=null,lt=null}}}let r=new e,o=new n,a=new s,c={},l=new WeakMap,h={},u={},f={},d=new WeakMap,p=[],y=null,m=!1,g=null,M=null,A=null,v=null,R=null,T=null,x=null,E=new Zt(0,0,0),B=0,L=!1,D=null,k=null,V=null,I=null,G=null,Y=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),H=!1,at=0,$=i.getParameter(i.VERSION);$.indexOf("WebGL")!==-1?(at=parseFloat(/^WebGL (\d)/.exec($)[1]),H=at>=1):$.indexOf("OpenGL ES")!==-1&&(at=parseFloat(/^OpenGL ES (\d)/.exec($)[1]),H=at>=2);let j=null,nt={},ut=i.getParameter(i.SCISSOR_BOX),ht=i.getParameter(i.VIEWPORT),Q=new Me().fromArray(ut),pt=new Me().fromArray(ht);function xt(F,st,et,wt){let mt=new Uint8Array(4),St=i.createTexture();i.bindTexture(F,St),i.texParameteri(F,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(F,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Gt=0;Gt<et;Gt++)F===i.TEXTURE_3D||F===i.TEXTURE_2D_ARRAY?i.texImage3D(st,0,i.RGBA,1,1,wt,0,i.RGBA,i.UNSIGNED_BYTE,mt):i.texImage2D(st+Gt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,mt);return St}let At={};At[i.TEXTURE_2D]=xt(i.TEXTURE_2D,i.TEXTURE_2D,1),At[i.TEXTURE_CUBE_MAP]=xt(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),At[i.TEXTURE_2D_ARRAY]=xt(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),At[i.TEXTURE_3D]=xt(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),Mt(i.DEPTH_TEST),o.setFunc(Wr),an(!1),De(cu),Mt(i.CULL_FACE),Xe(ps);function Mt(F){h[F]!==!0&&(i.enable(F),h[F]=!0)}function Ht(F){h[F]!==!1&&(i.disable(F),h[F]=!1)}function re(F,st){return f[F]!==st?(i.bindFramebuffer(F,st),f[F]=st,F===i.DRAW_FRAMEBUFFER&&(f[i.FRAMEBUFFER]=st),F===i.FRAMEBUFFER&&(f[i.DRAW_FRAMEBUFFER]=st),!0):!1}function Vt(F,st){let et=p,wt=!1;if(F){et=d.get(st),et===void 0&&(et=[],d.set(st,et));let mt=F.textures;if(et.length!==mt.length||et[0]!==i.COLOR_ATTACHMENT0){for(let St=0,Gt=mt.length;St<Gt;St++)et[St]=i.COLOR_ATTACHMENT0+St;et.length=mt.length,wt=!0}}else et[0]!==i.BACK&&(et[0]=i.BACK,wt=!0);wt&&i.drawBuffers(et)}function ue(F){return y!==F?(i.useProgram(F),y=F,!0):!1}let le={[rr]:i.FUNC_ADD,[Qd]:i.FUNC_SUBTRACT,[tp]:i.FUNC_REVERSE_SUBTRACT};le[ep]=i.MIN,le[np]=i.MAX;let ie={[ip]:i.ZERO,[sp]:i.ONE,[rp]:i.SRC_COLOR,[du]:i.SRC_ALPHA,[up]:i.SRC_ALPHA_SATURATE,[cp]:i.DST_COLOR,[ap]:i.DST_ALPHA,[op]:i.ONE_MINUS_SRC_COLOR,[pu]:i.ONE_MINUS_SRC_ALPHA,[hp]:i.ONE_MINUS_DST_COLOR,[lp]:i.ONE_MINUS_DST_ALPHA,[fp]:i.CONSTANT_COLOR,[dp]:i.ONE_MINUS_CONSTANT_COLOR,[pp]:i.CONSTANT_ALPHA,[mp]:i.ONE_MINUS_CONSTANT_ALPHA};function Xe(F,st,et,wt,mt,St,Gt,jt,lt,Ot){if(F===ps){m===!0&&(Ht(i.BLEND),m=!1);return}if(m===!1&&(Mt(i.BLEND),m=!0),F!==jd){if(F!==g||Ot!==L){if((M!==rr||R!==rr)&&(i.blendEquation(i.FUNC_ADD),M=rr,R=rr),Ot)switch(F){case oo:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case hu:i.blendFunc(i.ONE,i.ONE);break;case uu:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case fu:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:te("WebGLState: Invalid blending: ",F);break}else switch(F){case oo:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case hu:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case uu:te("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case fu:te("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:te("WebGLState: Invalid blending: ",F);break}A=null,v=null,T=null,x=null,E.set(0,0,0),B=0,g=F,L=Ot}return}mt=mt||st,St=St||et,Gt=Gt||wt,(st!==M||mt!==R)&&(i.blendEquationSeparate(le[st],le[mt]),M=st,R=mt),(et!==A||wt!==v||St!==T||Gt!==x)&&(i.blendFuncSeparate(ie[et],ie[wt],ie[St],ie[Gt]),A=et,v=wt,T=St,x=Gt),(jt.equals(E)===!1||lt!==B)&&(i.blendColor(jt.r,jt.g,jt.b,lt),E.copy(jt),B=lt),g=F,L=!1}function Be(F,st){F.side===vn?Ht(i.CULL_FACE):Mt(i.CULL_FACE);let et=F.side===Bn;st&&(et=!et),an(et),F.blending===oo&&F.transparent===!1?Xe(ps):Xe(F.blending,F.blendEquation,F.blendSrc,F.blendDst,F.blendEquationAlpha,F.blendSrcAlpha,F.blendDstAlpha,F.blendColor,F.blendAlpha,F.premultipliedAlpha),o.setFunc(F.depthFunc),o.setTest(F.depthTest),o.setMask(F.depthWrite),r.setMask(F.colorWrite);let wt=F.stencilWrite;a.setTest(wt),wt&&(a.setMask(F.stencilWriteMask),a.setFunc(F.stencilFunc,F.stencilRef,F.stencilFuncMask),a.setOp(F.stencilFail,F.stencilZFail,F.stencilZPass)),ye(F.polygonOffset,F.polygonOffsetFactor,F.polygonOffsetUnits),F.alphaToCoverage===!0?Mt(i.SAMPLE_ALPHA_TO_COVERAGE):Ht(i.SAMPLE_ALPHA_TO_COVERAGE)}function an(F){D!==F&&(F?i.frontFace(i.CW):i.frontFace(i.CCW),D=F)}function De(F){F!==$d?(Mt(i.CULL_FACE),F!==k&&(F===cu?i.cullFace(i.BACK):F===Jd?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Ht(i.CULL_FACE),k=F}function Tn(F){F!==V&&(H&&i.lineWidth(F),V=F)}function ye(F,st,et){F?(Mt(i.POLYGON_OFFSET_FILL),(I!==st||G!==et)&&(I=st,G=et,o.getReversed()&&(st=-st,et=-et),i.polygonOffset(st,et))):Ht(i.POLYGON_OFFSET_FILL)}function _n(F){F?Mt(i.SCISSOR_TEST):Ht(i.SCISSOR_TEST)}function $e(F){F===void 0&&(F=i.TEXTURE0+Y-1),j!==F&&(i.activeTexture(F),j=F)}function ln(F,st,et){et===void 0&&(j===null?et=i.TEXTURE0+Y-1:et=j);let wt=nt[et];wt===void 0&&(wt={type:void 0,texture:void 0},nt[et]=wt),(wt.type!==F||wt.texture!==st)&&(j!==et&&(i.activeTexture(et),j=et),i.bindTexture(F,st||At[F]),wt.type=F,wt.texture=st)}function O(){let F=nt[j];F!==void 0&&F.type!==void 0&&(i.bindTexture(F.type,null),F.type=void 0,F.texture=void 0)}function Ct(){try{i.compressedTexImage2D(...arguments)}catch(F){te("WebGLState:",F)}}function Jt(){try{i.compressedTexImage3D(...arguments)}catch(F){te("WebGLState:",F)}}function oe(){try{i.texSubImage2D(...arguments)}catch(F){te("WebGLState:",F)}}function bt(){try{i.texSubImage3D(...arguments)}catch(F){te("WebGLState:",F)}}function Ue(){try{i.compressedTexSubImage2D(...arguments)}catch(F){te("WebGLState:",F)}}function zt(){try{i.compressedTexSubImage3D(...arguments)}catch(F){te("WebGLState:",F)}}function $t(){try{i.texStorage2D(...arguments)}catch(F){te("WebGLState:",F)}}function C(){try{i.texStorage3D(...arguments)}catch(F){te("WebGLState:",F)}}function S(){try{i.texImage2D(...arguments)}catch(F){te("WebGLState:",F)}}function X(){try{i.texImage3D(...arguments)}catch(F){te("WebGLState:",F)}}function ct(F){return u[F]!==void 0?u[F]:i.getParameter(F)}function rt(F,st){u[F]!==st&&(i.pixelStorei(F,st),u[F]=st)}function gt(F){Q.equals(F)===!1&&(i.scissor(F.x,F.y,F.z,F.w),Q.copy(F))}function yt(F){pt.equals(F)===!1&&(i.viewport(F.x,F.y,F.z,F.w),pt.copy(F))}function tt(F,st){let et=l.get(st);et===void 0&&(et=new WeakMap,l.set(st,et));let wt=et.get(F);wt===void 0&&(wt=i.getUniformBlockIndex(st,F.name),i.uniformBlockBinding(st,wt,wt),et.set(F,wt))}function it(F,st,et){let mt=l.get(st).get(F);c[mt]!==et&&(i.bindBufferBase(i.UNIFORM_BUFFER,mt,et),c[mt]=et)}function dt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},j=null,nt={},f={},c={},d=new WeakMap,p=[],y=null,m=!1,g=null,M=null,A=null,v=null,R=null,T=null,x=null,E=new Zt(0,0,0),B=0,L=!1,D=null,k=null,V=null,I=null,G=null,Q.set(0,0,i.canvas.width,i.canvas.height),pt.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:Mt,disable:Ht,bindFramebuffer:re,drawBuffers:Vt,useProgram:ue,setBlending:Xe,setMaterial:Be,setFlipSided:an,setCullFace:De,setLineWidth:Tn,setPolygonOffset:ye,setScissorTest:_n,activeTexture:$e,bindTexture:ln,unbindTexture:O,compressedTexImage2D:Ct,compressedTexImage3D:Jt,texImage2D:S,texImage3D:X,pixelStorei:rt,getParameter:ct,updateUBOMapping:tt,uniformBlockBinding:it,texStorage2D:$t,texStorage3D:C,texSubImage2D:oe,texSubImage3D:bt,compressedTexSubImage2D:Ue,compressedTexSubImage3D:zt,scissor:gt,viewport:yt,reset:dt}}function mM(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,c=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),l=new qt,h=new WeakMap,u=new Set,f,d=new WeakMap,p=new Set,y=new FinalizationRegistry(C=>p.delete(C)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(C,S){return m?new OffscreenCanvas(C,S):Zo("canvas")}function M(C,S,X){let ct=1,rt=$t(C);if((rt.width>X||rt.height>X)&&(ct=X/Math.max(rt.width,rt.height)),ct<1)if(typeof HTMLImageElement<"u"&&C instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&C instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&C instanceof ImageBitmap||typeof VideoFrame<"u"&&C instanceof VideoFrame){let gt=Math.floor(ct*rt.width),yt=Math.floor(ct*rt.height);f===void 0&&(f=g(gt,yt));let tt=S?g(gt,yt):f;return tt.width=gt,tt.height=yt,tt.getContext("2d").drawImage(C,0,0,gt,yt),Xt("WebGLRenderer: Texture has been resized from ("+rt.width+"x"+rt.height+") to ("+gt+"x"+yt+")."),tt}else return"data"in C&&Xt("WebGLRenderer: Image in DataTexture is too big ("+rt.width+"x"+rt.height+")."),C;return C}function A(C){return C.generateMipmaps}function v(C){i.generateMipmap(C)}function R(C){return C.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:C.isWebGL3DRenderTarget?i.TEXTURE_3D:C.isWebGLArrayRenderTarget||C.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function T(C,S,X,ct,rt,gt=!1){if(C!==null){if(i[C]!==void 0)return i[C];Xt("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+C+"'")}let yt;ct&&(yt=t.get("EXT_texture_norm16"),yt||Xt("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let tt=S;if(S===i.RED&&(X===i.FLOAT&&(tt=i.R32F),X===i.HALF_FLOAT&&(tt=i.R16F),X===i.UNSIGNED_BYTE&&(tt=i.R8),X===i.UNSIGNED_SHORT&&yt&&(tt=yt.R16_EXT),X===i.SHORT&&yt&&(tt=yt.R16_SNORM_EXT)),S===i.RED_INTEGER&&(X===i.UNSIGNED_BYTE&&(tt=i.R8UI),X===i.UNSIGNED_SHORT&&(tt=i.R16UI),X===i.UNSIGNED_INT&&(tt=i.R32UI),X===i.BYTE&&(tt=i.R8I),X===i.SHORT&&(tt=i.R16I),X===i.INT&&(tt=i.R32I)),S===i.RG&&(X===i.FLOAT&&(tt=i.RG32F),X===i.HALF_FLOAT&&(tt=i.RG16F),X===i.UNSIGNED_BYTE&&(tt=i.RG8),X===i.UNSIGNED_SHORT&&yt&&(tt=yt.RG16_EXT),X===i.SHORT&&yt&&(tt=yt.RG16_SNORM_EXT)),S===i.RG_INTEGER&&(X===i.UNSIGNED_BYTE&&(tt=i.RG8UI),X===i.UNSIGNED_SHORT&&(tt=i.RG16UI),X===i.UNSIGNED_INT&&(tt=i.RG32UI),X===i.BYTE&&(tt=i.RG8I),X===i.SHORT&&(tt=i.RG16I),X===i.INT&&(tt=i.RG32I)),S===i.RGB_INTEGER&&(X===i.UNSIGNED_BYTE&&(tt=i.RGB8UI),X===i.UNSIGNED_SHORT&&(tt=i.RGB16UI),X===i.UNSIGNED_INT&&(tt=i.RGB32UI),X===i.BYTE&&(tt=i.RGB8I),X===i.SHORT&&(tt=i.RGB16I),X===i.INT&&(tt=i.RGB32I)),S===i.RGBA_INTEGER&&(X===i.UNSIGNED_BYTE&&(tt=i.RGBA8UI),X===i.UNSIGNED_SHORT&&(tt=i.RGBA16UI),X===i.UNSIGNED_INT&&(tt=i.RGBA32UI),X===i.BYTE&&(tt=i.RGBA8I),X===i.SHORT&&(tt=i.RGBA16I),X===i.INT&&(tt=i.RGBA32I)),S===i.RGB&&(X===i.UNSIGNED_SHORT&&yt&&(tt=yt.RGB16_EXT),X===i.SHORT&&yt&&(tt=yt.RGB16_SNORM_EXT),X===i.UNSIGNED_INT_5_9_9_9_REV&&(tt=i.RGB9_E5),X===i.UNSIGNED_INT_10F_11F_11F_REV&&(tt=i.R11F_G11F_B10F)),S===i.RGBA){let it=gt?Yo:_e.getTransfer(rt);X===i.FLOAT&&(tt=i.RGBA32F),X===i.HALF_FLOAT&&(tt=i.RGBA16F),X===i.UNSIGNED_BYTE&&(tt=it===Re?i.SRGB8_ALPHA8:i.RGBA8),X===i.UNSIGNED_SHORT&&yt&&(tt=yt.RGBA16_EXT),X===i.SHORT&&yt&&(tt=yt.RGBA16_SNORM_EXT),X===i.UNSIGNED_SHORT_4_4_4_4&&(tt=i.RGBA4),X===i.UNSIGNED_SHORT_5_5_5_1&&(tt=i.RGB5_A1)}return(tt===i.R16F||tt===i.R32F||tt===i.RG16F||tt===i.RG32F||tt===i.RGBA16F||tt===i.RGBA32F)&&t.get("EXT_color_buffer_float"),tt}function x(C,S){let X;return C?S===null||S===ci||S===ar?X=i.DEPTH24_STENCIL8:S===hi?X=i.DEPTH32F_STENCIL8:S===lo&&(X=i.DEPTH24_STENCIL8,Xt("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):S===null||S===ci||S===ar?X=i.DEPTH_COMPONENT24:S===hi?X=i.DEPTH_COMPONENT32F:S===lo&&(X=i.DEPTH_COMPONENT16),X}function E(C,S){return A(C)===!0||C.isFramebufferTexture&&C.minFilter!==Ln&&C.minFilter!==Fn?Math.log2(Math.max(S.width,S.height))+1:C.mipmaps.length>0?C.mipmaps.length:C.isCompressedTexture&&Array.isArray(C.image)?S.mipmaps.length:1}function B(C){let S=new WeakRef(C);n.get(C).__ref=S,p.add(S),y.register(C,S,S)}function L(C){let S=n.get(C).__ref;S!==void 0&&(p.delete(S),y.unregister(S))}function D(C){V(C.target)}function k(C){I(C.target)}function V(C){C.removeEventListener("dispose",D),L(C),Y(C),C.isVideoTexture&&h.delete(C),C.isHTMLTexture&&u.delete(C)}function I(C){C.removeEventListener("dispose",k),L(C),at(C)}function G(){for(let C of p){let S=C.deref();S!==void 0&&(S.isRenderTarget===!0?I(S):V(S))}p.clear(),u.clear()}function Y(C){let S=n.get(C);if(S.__webglInit===void 0)return;let X=C.source,ct=d.get(X);if(ct){let rt=ct[S.__cacheKey];rt.usedTimes--,rt.usedTimes===0&&H(C),Object.keys(ct).length===0&&d.delete(X)}n.remove(C)}function H(C){let S=n.get(C);i.deleteTexture(S.__webglTexture);let X=C.source,ct=d.get(X);delete ct[S.__cacheKey],o.memory.textures--}function at(C){let S=n.get(C);S.__depthDisposeCallback&&S.__depthDisposeCallback();let X=C.depthTexture;if(X&&X.renderTarget===C&&V(X),C.isWebGLCubeRenderTarget)for(let rt=0;rt<6;rt++){if(Array.isArray(S.__webglFramebuffer[rt]))for(let gt=0;gt<S.__webglFramebuffer[rt].length;gt++)i.deleteFramebuffer(S.__webglFramebuffer[rt][gt]);else i.deleteFramebuffer(S.__webglFramebuffer[rt]);S.__webglDepthbuffer&&i.deleteRenderbuffer(S.__webglDepthbuffer[rt])}else{if(Array.isArray(S.__webglFramebuffer))for(let rt=0;rt<S.__webglFramebuffer.length;rt++)i.deleteFramebuffer(S.__webglFramebuffer[rt]);else i.deleteFramebuffer(S.__webglFramebuffer);if(S.__webglDepthbuffer&&i.deleteRenderbuffer(S.__webglDepthbuffer),S.__webglMultisampledFramebuffer&&i.deleteFramebuffer(S.__webglMultisampledFramebuffer),S.__webglColorRenderbuffer)for(let rt=0;rt<S.__webglColorRenderbuffer.length;rt++)S.__webglColorRenderbuffer[rt]&&i.deleteRenderbuffer(S.__webglColorRenderbuffer[rt]);S.__webglDepthRenderbuffer&&i.deleteRenderbuffer(S.__webglDepthRenderbuffer)}let ct=C.textures;for(let rt=0,gt=ct.length;rt<gt;rt++){let yt=n.get(ct[rt]);yt.__webglTexture&&(i.deleteTexture(yt.__webglTexture),o.memory.textures--),n.remove(ct[rt])}n.remove(C)}let $=0;function j(){$=0}function nt(){return $}function ut(C){$=C}function ht(){let C=$;return C>=s.maxTextures&&Xt("WebGLTextures: Trying to use "+(C+1)+" texture units while this GPU supports only "+s.maxTextures),$+=1,C}function Q(C){let S=[];return S.push(C.wrapS),S.push(C.wrapT),S.push(C.wrapR||0),S.push(C.magFilter),S.push(C.minFilter),S.push(C.anisotropy),S.push(C.internalFormat),S.push(C.format),S.push(C.type),S.push(C.generateMipmaps),S.push(C.mipmapsAutoUpdate),S.push(C.premultiplyAlpha),S.push(C.flipY),S.push(C.unpackAlignment),S.push(C.colorSpace),S.join()}function pt(C,S){let X=n.get(C);if(C.isVideoTexture&&Ue(C),C.isRenderTargetTexture===!1&&C.isExternalTexture!==!0&&C.version>0&&X.__version!==C.version){let ct=C.image;if(ct===null)Xt("WebGLRenderer: Texture marked for update but no image data found.");else if(ct.complete===!1)Xt("WebGLRenderer: Texture marked for update but image is incomplete");else{Be(X,C,S);return}}else C.isExternalTexture&&(X.__webglTexture=C.sourceTexture?C.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,X.__webglTexture,i.TEXTURE0+S)}function xt(C,S){let X=n.get(C);if(C.isRenderTargetTexture===!1&&C.version>0&&X.__version!==C.version){Be(X,C,S);return}else C.isExternalTexture&&(X.__webglTexture=C.sourceTexture?C.sourceTexture:null);e.bindTexture(i.TEXTURE_2D_ARRAY,X.__webglTexture,i.TEXTURE0+S)}function At(C,S){let X=n.get(C);if(C.isRenderTargetTexture===!1&&C.version>0&&X.__version!==C.version){Be(X,C,S);return}e.bindTexture(i.TEXTURE_3D,X.__webglTexture,i.TEXTURE0+S)}function Mt(C,S){let X=n.get(C);if(C.version>0&&X.__version!==C.version){an(X,C,S);return}e.bindTexture(i.TEXTURE_CUBE_MAP,X.__webglTexture,i.TEXTURE0+S)}let Ht={[Xr]:i.REPEAT,[xi]:i.CLAMP_TO_EDGE,[El]:i.MIRRORED_REPEAT},re={[Ln]:i.NEAREST,[yp]:i.NEAREST_MIPMAP_NEAREST,[_a]:i.NEAREST_MIPMAP_LINEAR,[Fn]:i.LINEAR,[Jl]:i.LINEAR_MIPMAP_NEAREST,[ms]:i.LINEAR_MIPMAP_LINEAR},Vt={[bp]:i.NEVER,[Pu]:i.ALWAYS,[wp]:i.LESS,[Ru]:i.LEQUAL,[Ep]:i.EQUAL,[Cu]:i.GEQUAL,[Tp]:i.GREATER,[Ap]:i.NOTEQUAL};function ue(C,S){if(S.type===hi&&t.has("OES_texture_float_linear")===!1&&(S.magFilter===Fn||S.magFilter===Jl||S.magFilter===_a||S.magFilter===ms||S.minFilter===Fn||S.minFilter===Jl||S.minFilter===_a||S.minFilter===ms)&&Xt("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(C,i.TEXTURE_WRAP_S,Ht[S.wrapS]),i.texParameteri(C,i.TEXTURE_WRAP_T,Ht[S.wrapT]),(C===i.TEXTURE_3D||C===i.TEXTURE_2D_ARRAY)&&i.texParameteri(C,i.TEXTURE_WRAP_R,Ht[S.wrapR]),i.texParameteri(C,i.TEXTURE_MAG_FILTER,re[S.magFilter]),i.texParameteri(C,i.TEXTURE_MIN_FILTER,re[S.minFilter]),S.compareFunction&&(i.texParameteri(C,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(C,i.TEXTURE_COMPARE_FUNC,Vt[S.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(S.magFilter===Ln||S.minFilter!==_a&&S.minFilter!==ms||S.type===hi&&t.has("OES_texture_float_linear")===!1)return;if(S.anisotropy>1||n.get(S).__currentAnisotropy){let X=t.get("EXT_texture_filter_anisotropic");i.texParameterf(C,X.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(S.anisotropy,s.getMaxAnisotropy())),n.get(S).__currentAnisotropy=S.anisotropy}}}function le(C,S){let X=!1;C.__webglInit===void 0&&(C.__webglInit=!0,S.addEventListener("dispose",D),B(S));let ct=S.source,rt=d.get(ct);rt===void 0&&(rt={},d.set(ct,rt));let gt=Q(S);if(gt!==C.__cacheKey){rt[gt]===void 0&&(rt[gt]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,X=!0),rt[gt].usedTimes++;let yt=rt[C.__cacheKey];yt!==void 0&&(rt[C.__cacheKey].usedTimes--,yt.usedTimes===0&&H(S)),C.__cacheKey=gt,C.__webglTexture=rt[gt].texture}return X}function ie(C,S,X){return Math.floor(Math.floor(C/X)/S)}function Xe(C,S,X,ct){let gt=C.updateRanges;if(gt.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,S.width,S.height,X,ct,S.data);else{gt.sort((F,st)=>F.start-st.start);let yt=0;for(let F=1;F<gt.length;F++){let st=gt[yt],et=gt[F],wt=st.start+st.count,mt=ie(et.start,S.width,4),St=ie(st.start,S.width,4);et.start<=wt+1&&mt===St&&ie(et.start+et.count-1,S.width,4)===mt?st.count=Math.max(st.count,et.start+et.count-st.start):(++yt,gt[yt]=et)}gt.length=yt+1;let tt=e.getParameter(i.UNPACK_ROW_LENGTH),it=e.getParameter(i.UNPACK_SKIP_PIXELS),dt=e.getParameter(i.UNPACK_SKIP_ROWS);e.pixelStorei(i.UNPACK_ROW_LENGTH,S.width);for(let F=0,st=gt.length;F<st;F++){let et=gt[F],wt=Math.floor(et.start/4),mt=Math.ceil(et.count/4),St=wt%S.width,Gt=Math.floor(wt/S.width),jt=mt,lt=1;e.pixelStorei(i.UNPACK_SKIP_PIXELS,St),e.pixelStorei(i.UNPACK_SKIP_ROWS,Gt),e.texSubImage2D(i.TEXTURE_2D,0,St,Gt,jt,lt,X,ct,S.data)}C.clearUpdateRanges(),e.pixelStorei(i.UNPACK_ROW_LENGTH,tt),e.pixelStorei(i.UNPACK_SKIP_PIXELS,it),e.pixelStorei(i.UNPACK_SKIP_ROWS,dt)}}function Be(C,S,X){let ct=i.TEXTURE_2D;(S.isDataArrayTexture||S.isCompressedArrayTexture)&&(ct=i.TEXTURE_2D_ARRAY),S.isData3DTexture&&(ct=i.TEXTURE_3D);let rt=le(C,S),gt=S.source;e.bindTexture(ct,C.__webglTexture,i.TEXTURE0+X);let yt=n.get(gt);if(gt.version!==yt.__version||rt===!0){if(e.activeTexture(i.TEXTURE0+X),(typeof ImageBitmap<"u"&&S.image instanceof ImageBitmap)===!1){let lt=_e.getPrimaries(_e.workingColorSpace),Ot=S.colorSpace===_s?null:_e.getPrimaries(S.colorSpace),Qt=S.colorSpace===_s||lt===Ot?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,S.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,S.premultiplyAlpha),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Qt)}e.pixelStorei(i.UNPACK_ALIGNMENT,S.unpackAlignment);let it=M(S.image,!1,s.maxTextureSize);it=zt(S,it);let dt=r.convert(S.format,S.colorSpace),F=r.convert(S.type),st=T(S.internalFormat,dt,F,S.normalized,S.colorSpace,S.isVideoTexture);ue(ct,S);let et,wt=S.mipmaps,mt=S.isVideoTexture!==!0,St=yt.__version===void 0||rt===!0,Gt=gt.dataReady,jt=E(S,it);if(S.isDepthTexture)st=x(S.format===gs,S.type),St&&(mt?e.texStorage2D(i.TEXTURE_2D,1,st,it.width,it.height):e.texImage2D(i.TEXTURE_2D,0,st,it.width,it.height,0,dt,F,null));else if(S.isDataTexture)if(wt.length>0){mt&&St&&e.texStorage2D(i.TEXTURE_2D,jt,st,wt[0].width,wt[0].height);for(let lt=0,Ot=wt.length;lt<Ot;lt++)et=wt[lt],mt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,et.width,et.height,dt,F,et.data):e.texImage2D(i.TEXTURE_2D,lt,st,et.width,et.height,0,dt,F,et.data);S.generateMipmaps=!1}else mt?(St&&e.texStorage2D(i.TEXTURE_2D,jt,st,it.width,it.height),Gt&&Xe(S,it,dt,F)):e.texImage2D(i.TEXTURE_2D,0,st,it.width,it.height,0,dt,F,it.data);else if(S.isCompressedTexture)if(S.isCompressedArrayTexture){mt&&St&&e.texStorage3D(i.TEXTURE_2D_ARRAY,jt,st,wt[0].width,wt[0].height,it.depth);for(let lt=0,Ot=wt.length;lt<Ot;lt++)if(et=wt[lt],S.format!==Qn)if(dt!==null)if(mt){if(Gt)if(S.layerUpdates.size>0){let Qt=ku(et.width,et.height,S.format,S.type);for(let Rt of S.layerUpdates){let ae=et.data.subarray(Rt*Qt/et.data.BYTES_PER_ELEMENT,(Rt+1)*Qt/et.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,Rt,et.width,et.height,1,dt,ae)}}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,et.width,et.height,it.depth,dt,et.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,lt,st,et.width,et.height,it.depth,0,et.data,0,0);else Xt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else mt?Gt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,et.width,et.height,it.depth,dt,F,et.data):e.texImage3D(i.TEXTURE_2D_ARRAY,lt,st,et.width,et.height,it.depth,0,dt,F,et.data);S.layerUpdates.size>0&&S.clearLayerUpdates()}else{mt&&St&&e.texStorage2D(i.TEXTURE_2D,jt,st,wt[0].width,wt[0].height);for(let lt=0,Ot=wt.length;lt<Ot;lt++)et=wt[lt],S.format!==Qn?dt!==null?mt?Gt&&e.compressedTexSubImage2D(i.TEXTURE_2D,lt,0,0,et.width,et.height,dt,et.data):e.compressedTexImage2D(i.TEXTURE_2D,lt,st,et.width,et.height,0,et.data):Xt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):mt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,et.width,et.height,dt,F,et.data):e.texImage2D(i.TEXTURE_2D,lt,st,et.width,et.height,0,dt,F,et.data)}else if(S.isDataArrayTexture)if(mt){if(St&&e.texStorage3D(i.TEXTURE_2D_ARRAY,jt,st,it.width,it.height,it.depth),Gt)if(S.layerUpdates.size>0){let lt=ku(it.width,it.height,S.format,S.type);for(let Ot of S.layerUpdates){let Qt=it.data.subarray(Ot*lt/it.data.BYTES_PER_ELEMENT,(Ot+1)*lt/it.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Ot,it.width,it.height,1,dt,F,Qt)}S.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,it.width,it.height,it.depth,dt,F,it.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,st,it.width,it.height,it.depth,0,dt,F,it.data);else if(S.isData3DTexture)mt?(St&&e.texStorage3D(i.TEXTURE_3D,jt,st,it.width,it.height,it.depth),Gt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,it.width,it.height,it.depth,dt,F,it.data)):e.texImage3D(i.TEXTURE_3D,0,st,it.width,it.height,it.depth,0,dt,F,it.data);else if(S.isFramebufferTexture){if(St)if(mt)e.texStorage2D(i.TEXTURE_2D,jt,st,it.width,it.height);else{let lt=it.width,Ot=it.height;for(let Qt=0;Qt<jt;Qt++)e.texImage2D(i.TEXTURE_2D,Qt,st,lt,Ot,0,dt,F,null),lt>>=1,Ot>>=1}}else if(S.isHTMLTexture){if("texElementImage2D"in i){let lt=i.canvas;if(lt.hasAttribute("layoutsubtree")||lt.setAttribute("layoutsubtree","true"),it.parentNode!==lt){lt.appendChild(it),u.add(S),lt.onpaint=Ot=>{let Qt=Ot.changedElements;for(let Rt of u)Qt.includes(Rt.image)&&(Rt.needsUpdate=!0)},lt.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,it);else{let Qt=i.RGBA,Rt=i.RGBA,ae=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Qt,Rt,ae,it)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(wt.length>0){if(mt&&St){let lt=$t(wt[0]);e.texStorage2D(i.TEXTURE_2D,jt,st,lt.width,lt.height)}for(let lt=0,Ot=wt.length;lt<Ot;lt++)et=wt[lt],mt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,dt,F,et):e.texImage2D(i.TEXTURE_2D,lt,st,dt,F,et);S.generateMipmaps=!1}else if(mt){if(St){let lt=$t(it);e.texStorage2D(i.TEXTURE_2D,jt,st,lt.width,lt.height)}Gt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,dt,F,it)}else e.texImage2D(i.TEXTURE_2D,0,st,dt,F,it);A(S)&&S.mipmapsAutoUpdate===!0&&v(ct),yt.__version=gt.version,S.onUpdate&&S.onUpdate(S)}C.__version=S.version}function an(C,S,X){if(S.image.length!==6)return;let ct=le(C,S),rt=S.source;e.bindTexture(i.TEXTURE_CUBE_MAP,C.__webglTexture,i.TEXTURE0+X);let gt=n.get(rt);if(rt.version!==gt.__version||ct===!0){e.activeTexture(i.TEXTURE0+X);let yt=_e.getPrimaries(_e.workingColorSpace),tt=S.colorSpace===_s?null:_e.getPrimaries(S.colorSpace),it=S.colorSpace===_s||yt===tt?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,S.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,S.premultiplyAlpha),e.pixelStorei(i.UNPACK_ALIGNMENT,S.unpackAlignment),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,it);let dt=S.isCompressedTexture||S.image[0].isCompressedTexture,F=S.image[0]&&S.image[0].isDataTexture,st=[];for(let Rt=0;Rt<6;Rt++)!dt&&!F?st[Rt]=M(S.image[Rt],!0,s.maxCubemapSize):st[Rt]=F?S.image[Rt].image:S.image[Rt],st[Rt]=zt(S,st[Rt]);let et=st[0],wt=r.convert(S.format,S.colorSpace),mt=r.convert(S.type),St=T(S.internalFormat,wt,mt,S.normalized,S.colorSpace),Gt=S.isVideoTexture!==!0,jt=gt.__version===void 0||ct===!0,lt=rt.dataReady,Ot=E(S,et);ue(i.TEXTURE_CUBE_MAP,S);let Qt;if(S.isDepthTexture){if(St=x(S.format===gs,S.type),jt)if(Gt)e.texStorage2D(i.TEXTURE_CUBE_MAP,1,St,et.width,et.height);else for(let Rt=0;Rt<6;Rt++)e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,St,et.width,et.height,0,wt,mt,null)}else if(dt){Gt&&jt&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Ot,St,et.width,et.height);for(let Rt=0;Rt<6;Rt++){Qt=st[Rt].mipmaps;for(let ae=0;ae<Qt.length;ae++){let ke=Qt[ae];S.format!==Qn?wt!==null?Gt?lt&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae,0,0,ke.width,ke.height,wt,ke.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae,St,ke.width,ke.height,0,ke.data):Xt("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae,0,0,ke.width,ke.height,wt,mt,ke.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae,St,ke.width,ke.height,0,wt,mt,ke.data)}}}else{if(Qt=S.mipmaps,Gt&&jt){Qt.length>0&&Ot++;let Rt=$t(st[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Ot,St,Rt.width,Rt.height)}for(let Rt=0;Rt<6;Rt++)if(F){Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,0,0,st[Rt].width,st[Rt].height,wt,mt,st[Rt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,St,st[Rt].width,st[Rt].height,0,wt,mt,st[Rt].data);for(let ae=0;ae<Qt.length;ae++){let Wn=Qt[ae].image[Rt].image;Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae+1,0,0,Wn.width,Wn.height,wt,mt,Wn.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae+1,St,Wn.width,Wn.height,0,wt,mt,Wn.data)}}else{Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,0,0,wt,mt,st[Rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,St,wt,mt,st[Rt]);for(let ae=0;ae<Qt.length;ae++){let ke=Qt[ae];Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae+1,0,0,wt,mt,ke.image[Rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae+1,St,wt,mt,ke.image[Rt])}}}A(S)&&S.mipmapsAutoUpdate===!0&&v(i.TEXTURE_CUBE_MAP),gt.__version=rt.version,S.onUpdate&&S.onUpdate(S)}C.__version=S.version}function De(C,S,X,ct,rt,gt){let yt=r.convert(X.format,X.colorSpace),tt=r.convert(X.type),it=T(X.internalFormat,yt,tt,X.normalized,X.colorSpace),dt=n.get(S),F=n.get(X);if(F.__renderTarget=S,!dt.__hasExternalTextures){let st=Math.max(1,S.width>>gt),et=Math.max(1,S.height>>gt);rt===i.TEXTURE_3D||rt===i.TEXTURE_2D_ARRAY?e.texImage3D(rt,gt,it,st,et,S.depth,0,yt,tt,null):e.texImage2D(rt,gt,it,st,et,0,yt,tt,null)}e.bindFramebuffer(i.FRAMEBUFFER,C),bt(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ct,rt,F.__webglTexture,0,oe(S)):(rt===i.TEXTURE_2D||rt>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&rt<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ct,rt,F.__webglTexture,gt),e.bindFramebuffer(i.FRAMEBUFFER,null)}function Tn(C,S,X){if(i.bindRenderbuffer(i.RENDERBUFFER,C),S.depthBuffer){let ct=S.depthTexture,rt=ct&&ct.isDepthTexture?ct.type:null,gt=x(S.stencilBuffer,rt),yt=S.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;bt(S)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,oe(S),gt,S.width,S.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,oe(S),gt,S.width,S.height):i.renderbufferStorage(i.RENDERBUFFER,gt,S.width,S.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,yt,i.RENDERBUFFER,C)}else{let ct=S.textures;for(let rt=0;rt<ct.length;rt++){let gt=ct[rt],yt=r.convert(gt.format,gt.colorSpace),tt=r.convert(gt.type),it=T(gt.internalFormat,yt,tt,gt.normalized,gt.colorSpace);bt(S)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,oe(S),it,S.width,S.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,oe(S),it,S.width,S.height):i.renderbufferStorage(i.RENDERBUFFER,it,S.width,S.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function ye(C,S,X){let ct=S.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(i.FRAMEBUFFER,C),!(S.depthTexture&&S.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let rt=n.get(S.depthTexture);rt.__renderTarget=S;let gt=ct?S.depthTexture.image[0]:S.depthTexture.image;(!rt.__webglTexture||gt.width!==S.width||gt.height!==S.height)&&(gt.width=S.width,gt.height=S.height,S.depthTexture.needsUpdate=!0),ct?Mt(S.depthTexture,0):pt(S.depthTexture,0);let yt=rt.__webglTexture,tt=oe(S),it=ct?i.TEXTURE_CUBE_MAP_POSITIVE_X+X:i.TEXTURE_2D,dt=S.depthTexture.format===gs?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(S.depthTexture.format===us)bt(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,dt,it,yt,0,tt):i.framebufferTexture2D(i.FRAMEBUFFER,dt,it,yt,0);else if(S.depthTexture.format===gs)bt(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,dt,it,yt,0,tt):i.framebufferTexture2D(i.FRAMEBUFFER,dt,it,yt,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function _n(C){let S=n.get(C),X=C.isWebGLCubeRenderTarget===!0;if(S.__boundDepthTexture!==C.depthTexture){let ct=C.depthTexture;if(S.__depthDisposeCallback&&S.__depthDisposeCallback(),ct){let rt=()=>{delete S.__boundDepthTexture,delete S.__depthDisposeCallback,ct.removeEventListener("dispose",rt)};ct.addEventListener("dispose",rt),S.__depthDisposeCallback=rt}S.__boundDepthTexture=ct}if(C.depthTexture&&!S.__autoAllocateDepthBuffer)if(X)for(let ct=0;ct<6;ct++)ye(S.__webglFramebuffer[ct],C,ct);else C.texture.mipmaps.length>0?ye(S.__webglFramebuffer[0],C,0):ye(S.__webglFramebuffer,C,0);else if(X){S.__webglDepthbuffer=[];for(let ct=0;ct<6;ct++)if(e.bindFramebuffer(i.FRAMEBUFFER,S.__webglFramebuffer[ct]),S.__webglDepthbuffer[ct]===void 0)S.__webglDepthbuffer[ct]=i.createRenderbuffer(),Tn(S.__webglDepthbuffer[ct],C,!1);else{let rt=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,gt=S.__webglDepthbuffer[ct];i.bindRenderbuffer(i.RENDERBUFFER,gt),i.framebufferRenderbuffer(i.FRAMEBUFFER,rt,i.RENDERBUFFER,gt)}}else if(C.texture.mipmaps.length>0?e.bindFramebuffer(i.FRAMEBUFFER,S.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,S.__webglFramebuffer),S.__webglDepthbuffer===void 0)S.__webglDepthbuffer=i.createRenderbuffer(),Tn(S.__webglDepthbuffer,C,!1);else{let rt=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,gt=S.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,gt),i.framebufferRenderbuffer(i.FRAMEBUFFER,rt,i.RENDERBUFFER,gt)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function $e(C,S,X){let ct=n.get(C);S!==void 0&&De(ct.__webglFramebuffer,C,C.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),X!==void 0&&_n(C)}function ln(C){let S=C.texture,X=n.get(C),ct=n.get(S);C.addEventListener("dispose",k),B(C);let rt=C.textures,gt=C.isWebGLCubeRenderTarget===!0,yt=rt.length>1;if(yt||(ct.__webglTexture===void 0&&(ct.__webglTexture=i.createTexture()),ct.__version=S.version,o.memory.textures++),gt){X.__webglFramebuffer=[];for(let tt=0;tt<6;tt++)if(S.mipmaps.length>0){X.__webglFramebuffer[tt]=[];for(let it=0;it<S.mipmaps.length;it++)X.__webglFramebuffer[tt][it]=i.createFramebuffer()}else X.__webglFramebuffer[tt]=i.createFramebuffer()}else{if(S.mipmaps.length>0){X.__webglFramebuffer=[];for(let tt=0;tt<S.mipmaps.length;tt++)X.__webglFramebuffer[tt]=i.createFramebuffer()}else X.__webglFramebuffer=i.createFramebuffer();if(yt)for(let tt=0,it=rt.length;tt<it;tt++){let dt=n.get(rt[tt]);dt.__webglTexture===void 0&&(dt.__webglTexture=i.createTexture(),o.memory.textures++)}if(C.samples>0&&bt(C)===!1){X.__webglMultisampledFramebuffer=i.createFramebuffer(),X.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,X.__webglMultisampledFramebuffer);for(let tt=0;tt<rt.length;tt++){let it=rt[tt];X.__webglColorRenderbuffer[tt]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,X.__webglColorRenderbuffer[tt]);let dt=r.convert(it.format,it.colorSpace),F=r.convert(it.type),st=T(it.internalFormat,dt,F,it.normalized,it.colorSpace,C.isXRRenderTarget===!0),et=oe(C);i.renderbufferStorageMultisample(i.RENDERBUFFER,et,st,C.width,C.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+tt,i.RENDERBUFFER,X.__webglColorRenderbuffer[tt])}i.bindRenderbuffer(i.RENDERBUFFER,null),C.depthBuffer&&(X.__webglDepthRenderbuffer=i.createRenderbuffer(),Tn(X.__webglDepthRenderbuffer,C,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(gt){e.bindTexture(i.TEXTURE_CUBE_MAP,ct.__webglTexture),ue(i.TEXTURE_CUBE_MAP,S);for(let tt=0;tt<6;tt++)if(S.mipmaps.length>0)for(let it=0;it<S.mipmaps.length;it++)De(X.__webglFramebuffer[tt][it],C,S,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+tt,it);else De(X.__webglFramebuffer[tt],C,S,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+tt,0);A(S)?v(i.TEXTURE_CUBE_MAP):S.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,S.mipmaps.length-1),e.unbindTexture()}else if(yt){for(let tt=0,it=rt.length;tt<it;tt++){let dt=rt[tt],F=n.get(dt),st=i.TEXTURE_2D;(C.isWebGL3DRenderTarget||C.isWebGLArrayRenderTarget)&&(st=C.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(st,F.__webglTexture),ue(st,dt),De(X.__webglFramebuffer,C,dt,i.COLOR_ATTACHMENT0+tt,st,0),A(dt)&&v(st)}e.unbindTexture()}else{let tt=i.TEXTURE_2D;if((C.isWebGL3DRenderTarget||C.isWebGLArrayRenderTarget)&&(tt=C.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(tt,ct.__webglTexture),ue(tt,S),S.mipmaps.length>0)for(let it=0;it<S.mipmaps.length;it++)De(X.__webglFramebuffer[it],C,S,i.COLOR_ATTACHMENT0,tt,it);else De(X.__webglFramebuffer,C,S,i.COLOR_ATTACHMENT0,tt,0);A(S)?v(tt):S.mipmaps.length>0&&i.texParameteri(tt,i.TEXTURE_MAX_LEVEL,S.mipmaps.length-1),e.unbindTexture()}C.depthBuffer&&_n(C)}function O(C){let S=C.textures;for(let X=0,ct=S.length;X<ct;X++){let rt=S[X];if(A(rt)&&rt.mipmapsAutoUpdate===!0){let gt=R(C),yt=n.get(rt).__webglTexture;e.bindTexture(gt,yt),v(gt),e.unbindTexture()}}}let Ct=[];function Jt(C){if(C.samples>0){if(bt(C)===!1){let S=C.textures,X=C.width,ct=C.height,rt=i.COLOR_BUFFER_BIT,gt=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,yt=n.get(C),tt=S.length>1;if(tt)for(let dt=0;dt<S.length;dt++)e.bindFramebuffer(i.FRAMEBUFFER,yt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+dt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,yt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+dt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,yt.__webglMultisampledFramebuffer),C.texture.mipmaps.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,yt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,yt.__webglFramebuffer);for(let dt=0;dt<S.length;dt++){if(C.resolveDepthBuffer&&(C.depthBuffer&&(rt|=i.DEPTH_BUFFER_BIT),C.stencilBuffer&&C.resolveStencilBuffer&&(rt|=i.STENCIL_BUFFER_BIT)),tt){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,yt.__webglColorRenderbuffer[dt]);let F=n.get(S[dt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,F,0)}i.blitFramebuffer(0,0,X,ct,0,0,X,ct,rt,i.NEAREST),c===!0&&(Ct.length=0,Ct.push(i.COLOR_ATTACHMENT0+dt),C.depthBuffer&&C.storeMultisampledDepthBuffer===!1&&Ct.push(gt),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Ct))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),tt)for(let dt=0;dt<S.length;dt++){e.bindFramebuffer(i.FRAMEBUFFER,yt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+dt,i.RENDERBUFFER,yt.__webglColorRenderbuffer[dt]);let F=n.get(S[dt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,yt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+dt,i.TEXTURE_2D,F,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,yt.__webglMultisampledFramebuffer)}else if(C.depthBuffer&&C.storeMultisampledDepthBuffer===!1&&c){let S=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[S])}}}function oe(C){return Math.min(s.maxSamples,C.samples)}function bt(C){let S=n.get(C);return C.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&S.__useRenderToTexture!==!1}function Ue(C){let S=o.render.frame;h.get(C)!==S&&(h.set(C,S),C.update())}function zt(C,S){let X=C.colorSpace,ct=C.format,rt=C.type;return C.isCompressedTexture===!0||C.isVideoTexture===!0||X!==qo&&X!==_s&&(_e.getTransfer(X)===Re?(ct!==Qn||rt!==jn)&&Xt("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):te("WebGLTextures: Unsupported texture color space:",X)),S}function $t(C){return typeof HTMLImageElement<"u"&&C instanceof HTMLImageElement?(l.width=C.naturalWidth||C.width,l.height=C.naturalHeight||C.height):typeof VideoFrame<"u"&&C instanceof VideoFrame?(l.width=C.displayWidth,l.height=C.displayHeight):(l.width=C.width,l.height=C.height),l}this.allocateTextureUnit=ht,this.resetTextureUnits=j,this.getTextureUnits=nt,this.setTextureUnits=ut,this.setTexture2D=pt,this.setTexture2DArray=xt,this.setTexture3D=At,this.setTextureCube=Mt,this.rebindTextures=$e,this.setupRenderTarget=ln,this.updateRenderTargetMipmap=O,this.updateMultisampleRenderTarget=Jt,this.setupDepthRenderbuffer=_n,this.setupFrameBufferTexture=De,this.useMultisampledRTT=bt,this.dispose=G}function gM(i,t){function e(n,s=_s){let r,o=_e.getTransfer(s);if(n===jn)return i.UNSIGNED_BYTE;if(n===jl)return i.UNSIGNED_SHORT_4_4_4_4;if(n===Ql)return i.UNSIGNED_SHORT_5_5_5_1;if(n===wu)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Eu)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===Mu)return i.BYTE;if(n===bu)return i.SHORT;if(n===lo)return i.UNSIGNED_SHORT;if(n===Kl)return i.INT;if(n===ci)return i.UNSIGNED_INT;if(n===hi)return i.FLOAT;if(n===Di)return i.HALF_FLOAT;if(n===Tu)return i.ALPHA;if(n===Au)return i.RGB;if(n===Qn)return i.RGBA;if(n===us)return i.DEPTH_COMPONENT;if(n===gs)return i.DEPTH_STENCIL;if(n===tc)return i.RED;if(n===co)return i.RED_INTEGER;if(n===Vs)return i.RG;if(n===ec)return i.RG_INTEGER;if(n===nc)return i.RGBA_INTEGER;if(n===xa||n===ya||n===va||n===Sa)if(o===Re)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===xa)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===ya)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===va)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Sa)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===xa)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===ya)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===va)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Sa)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===ic||n===sc||n===rc||n===oc)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===ic)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===sc)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===rc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===oc)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===ac||n===lc||n===cc||n===hc||n===uc||n===Ma||n===fc)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===ac||n===lc)return o===Re?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===cc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===hc)return r.COMPRESSED_R11_EAC;if(n===uc)return r.COMPRESSED_SIGNED_R11_EAC;if(n===Ma)return r.COMPRESSED_RG11_EAC;if(n===fc)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===dc||n===pc||n===mc||n===gc||n===_c||n===xc||n===yc||n===vc||n===Sc||n===Mc||n===bc||n===wc||n===Ec||n===Tc)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===dc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===pc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===mc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===gc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===_c)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===xc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===yc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===vc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Sc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Mc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===bc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===wc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Ec)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Tc)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Ac||n===Rc||n===Cc)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===Ac)return o===Re?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Rc)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Cc)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Pc||n===Ic||n===ba||n===Lc)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===Pc)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Ic)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===ba)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Lc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===ar?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var _M=`
void main() {
gl_Position = vec4(position,1.0);
}`,xM=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;
void main() {
vec2 coord = vec2(gl_FragCoord.x / depthWidth,gl_FragCoord.y / depthHeight);
if (coord.x >= 1.0) {
gl_FragDepth = texture(depthColor,vec3(coord.x - 1.0,coord.y,1)).r;
} else {
gl_FragDepth = texture(depthColor,vec3(coord.x,coord.y,0)).r;
}
}`,Zu=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let n=new na(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new mn({vertexShader:_M,fragmentShader:xM,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new ve(new ds(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},$u=class extends Ii{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",c=1,l=null,h=null,u=null,f=null,d=null,p=null,y=typeof XRWebGLBinding<"u",m=new Zu,g={},M=e.getContextAttributes(),A=null,v=null,R=[],T=[],x=new qt,E=null,B=null,L=new Un;L.viewport=new Me;let D=new Un;D.viewport=new Me;let k=[L,D],V=new ql,I=null,G=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Q){let pt=R[Q];return pt===void 0&&(pt=new Kr,R[Q]=pt),pt.getTargetRaySpace()},this.getControllerGrip=function(Q){let pt=R[Q];return pt===void 0&&(pt=new Kr,R[Q]=pt),pt.getGripSpace()},this.getHand=function(Q){let pt=R[Q];return pt===void 0&&(pt=new Kr,R[Q]=pt),pt.getHandSpace()};function Y(Q){let pt=T.indexOf(Q.inputSource);if(pt===-1)return;let xt=R[pt];xt!==void 0&&(xt.update(Q.inputSource,Q.frame,l||o),xt.dispatchEvent({type:Q.type,data:Q.inputSource}))}function H(){s.removeEventListener("select",Y),s.removeEventListener("selectstart",Y),s.removeEventListener("selectend",Y),s.removeEventListener("squeeze",Y),s.removeEventListener("squeezestart",Y),s.removeEventListener("squeezeend",Y),s.removeEventListener("end",H),s.removeEventListener("inputsourceschange",at);for(let Q=0;Q<R.length;Q++){let pt=T[Q];pt!==null&&(T[Q]=null,R[Q].disconnect(pt))}I=null,G=null,m.reset();for(let Q in g)delete g[Q];if(t.setRenderTarget(A),d=null,f=null,u=null,s=null,v=null,ht.stop(),n.isPresenting=!1,t.setPixelRatio(E),t.setSize(x.width,x.height,!1),B!==null){let Q=B.camera;Q.fov=B.fov,Q.zoom=B.zoom,Q.updateProjectionMatrix(),B=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Q){r=Q,n.isPresenting===!0&&Xt("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Q){a=Q,n.isPresenting===!0&&Xt("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return l||o},this.setReferenceSpace=function(Q){l=Q},this.getBaseLayer=function(){return f!==null?f:d},this.getBinding=function(){return u===null&&y&&(u=new XRWebGLBinding(s,e)),u},this.getFrame=function(){return p},this.getSession=function(){return s},this.setSession=async function(Q){if(s=Q,s!==null){if(A=t.getRenderTarget(),s.addEventListener("select",Y),s.addEventListener("selectstart",Y),s.addEventListener("selectend",Y),s.addEventListener("squeeze",Y),s.addEventListener("squeezestart",Y),s.addEventListener("squeezeend",Y),s.addEventListener("end",H),s.addEventListener("inputsourceschange",at),M.xrCompatible!==!0&&await e.makeXRCompatible(),E=t.getPixelRatio(),t.getSize(x),y&&"createProjectionLayer"in XRWebGLBinding.prototype){let xt=null,At=null,Mt=null;M.depth&&(Mt=M.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,xt=M.stencil?gs:us,At=M.stencil?ar:ci);let Ht={colorFormat:e.RGBA8,depthFormat:Mt,scaleFactor:r};u=this.getBinding(),f=u.createProjectionLayer(Ht),s.updateRenderState({layers:[f]}),t.setPixelRatio(1),t.setSize(f.textureWidth,f.textureHeight,!1),v=new ai(f.textureWidth,f.textureHeight,{format:Qn,type:jn,depthTexture:new fs(f.textureWidth,f.textureHeight,At,void 0,void 0,void 0,void 0,void 0,void 0,xt),stencilBuffer:M.stencil,colorSpace:t.outputColorSpace,samples:M.antialias?4:0,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}else{let xt={antialias:M.antialias,alpha:!0,depth:M.depth,stencil:M.stencil,framebufferScaleFactor:r};d=new XRWebGLLayer(s,e,xt),s.updateRenderState({baseLayer:d}),t.setPixelRatio(1),t.setSize(d.framebufferWidth,d.framebufferHeight,!1),v=new ai(d.framebufferWidth,d.framebufferHeight,{format:Qn,type:jn,colorSpace:t.outputColorSpace,stencilBuffer:M.stencil,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}v.isXRRenderTarget=!0,this.setFoveation(c),l=null,o=await s.requestReferenceSpace(a),ht.setContext(s),ht.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function at(Q){for(let pt=0;pt<Q.removed.length;pt++){let xt=Q.removed[pt],At=T.indexOf(xt);At>=0&&(T[At]=null,R[At].disconnect(xt))}for(let pt=0;pt<Q.added.length;pt++){let xt=Q.added[pt],At=T.indexOf(xt);if(At===-1){for(let Ht=0;Ht<R.length;Ht++)if(Ht>=T.length){T.push(xt),At=Ht;break}else if(T[Ht]===null){T[Ht]=xt,At=Ht;break}if(At===-1)break}let Mt=R[At];Mt&&Mt.connect(xt)}}function $(Q,pt){pt===null?Q.matrixWorld.copy(Q.matrix):Q.matrixWorld.multiplyMatrices(pt.matrixWorld,Q.matrix),Q.matrixWorldInverse.copy(Q.matrixWorld).invert()}this.updateCamera=function(Q){if(s===null)return;let pt=Q.near,xt=Q.far;m.texture!==null&&(m.depthNear>0&&(pt=m.depthNear),m.depthFar>0&&(xt=m.depthFar)),V.near=D.near=L.near=pt,V.far=D.far=L.far=xt,(I!==V.near||G!==V.far)&&(s.updateRenderState({depthNear:V.near,depthFar:V.far}),I=V.near,G=V.far),V.layers.mask=Q.layers.mask|6,L.layers.mask=V.layers.mask&-5,D.layers.mask=V.layers.mask&-3;let At=Q.parent,Mt=V.cameras;$(V,At);for(let Ht=0;Ht<Mt.length;Ht++)$(Mt[Ht],At);V.projectionMatrix.copy(L.projectionMatrix),V.projectionMatrixInverse.copy(L.projectionMatrixInverse),B===null&&Q.isPerspectiveCamera&&(B={camera:Q,fov:Q.fov,zoom:Q.zoom}),j(Q,V,At)};function j(Q,pt,xt){xt===null?Q.matrix.copy(pt.matrixWorld):(Q.matrix.copy(xt.matrixWorld),Q.matrix.invert(),Q.matrix.multiply(pt.matrixWorld)),Q.matrix.decompose(Q.position,Q.quaternion,Q.scale),Q.updateMatrixWorld(!0),Q.projectionMatrix.copy(pt.projectionMatrix),Q.projectionMatrixInverse.copy(pt.projectionMatrixInverse),Q.isPerspectiveCamera&&(Q.fov=Zr*2*Math.atan(1/Q.projectionMatrix.elements[5]),Q.zoom=1)}this.getCamera=function(){return V},this.getFoveation=function(){if(!(f===null&&d===null))return c},this.setFoveation=function(Q){c=Q,f!==null&&(f.fixedFoveation=Q),d!==null&&d.fixedFoveation!==void 0&&(d.fixedFoveation=Q)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(V)},this.getCameraTexture=function(Q){return g[Q]};let nt=null;function ut(Q,pt){if(h=pt.getViewerPose(l||o),p=pt,h!==null){let xt=h.views;d!==null&&(t.setRenderTargetFramebuffer(v,d.framebuffer),t.setRenderTarget(v));let At=!1;xt.length!==V.cameras.length&&(V.cameras.length=0,At=!0);for(let Vt=0;Vt<xt.length;Vt++){let ue=xt[Vt],le=null;if(d!==null)le=d.getViewport(ue);else{let Xe=u.getViewSubImage(f,ue);le=Xe.viewport,Vt===0&&(t.setRenderTargetTextures(v,Xe.colorTexture,Xe.depthStencilTexture),t.setRenderTarget(v))}let ie=k[Vt];ie===void 0&&(ie=new Un,ie.layers.enable(Vt),ie.viewport=new Me,k[Vt]=ie),ie.matrix.fromArray(ue.transform.matrix),ie.matrix.decompose(ie.position,ie.quaternion,ie.scale),ie.projectionMatrix.fromArray(ue.projectionMatrix),ie.projectionMatrixInverse.copy(ie.projectionMatrix).invert(),ie.viewport.set(le.x,le.y,le.width,le.height),Vt===0&&(V.matrix.copy(ie.matrix),V.matrix.decompose(V.position,V.quaternion,V.scale)),At===!0&&V.cameras.push(ie)}let Mt=s.enabledFeatures;if(Mt&&Mt.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&y){u=n.getBinding();let Vt=u.getDepthInformation(xt[0]);Vt&&Vt.isValid&&Vt.texture&&m.init(Vt,s.renderState)}if(Mt&&Mt.includes("camera-access")&&y){t.state.unbindTexture(),u=n.getBinding();for(let Vt=0;Vt<xt.length;Vt++){let ue=xt[Vt].camera;if(ue){let le=g[ue];le||(le=new na,g[ue]=le);let ie=u.getCameraImage(ue);le.sourceTexture=ie}}}}for(let xt=0;xt<R.length;xt++){let At=T[xt],Mt=R[xt];At!==null&&Mt!==void 0&&Mt.update(At,pt,l||o)}nt&&nt(Q,pt),pt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:pt}),p=null}let ht=new om;ht.setAnimationLoop(ut),this.setAnimationLoop=function(Q){nt=Q},this.dispose=function(){}}},yM=new Yt,gm=new ne;gm.set(-1,0,0,0,1,0,0,0,1);function vM(i,t){function e(m,g){m.matrixAutoUpdate===!0&&m.updateMatrix(),g.value.copy(m.matrix)}function n(m,g){g.color.getRGB(m.fogColor.value,Fu(i)),g.isFog?(m.fogNear.value=g.near,m.fogFar.value=g.far):g.isFogExp2&&(m.fogDensity.value=g.density)}function s(m,g,M,A,v){g.isNodeMaterial?g.uniformsNeedUpdate=!1:g.isMeshBasicMaterial?r(m,g):g.isMeshLambertMaterial?(r(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshToonMaterial?(r(m,g),u(m,g)):g.isMeshPhongMaterial?(r(m,g),h(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshStandardMaterial?(r(m,g),f(m,g),g.isMeshPhysicalMaterial&&d(m,g,v)):g.isMeshMatcapMaterial?(r(m,g),p(m,g)):g.isMeshDepthMaterial?r(m,g):g.isMeshDistanceMaterial?(r(m,g),y(m,g)):g.isMeshNormalMaterial?r(m,g):g.isLineBasicMaterial?(o(m,g),g.isLineDashedMaterial&&a(m,g)):g.isPointsMaterial?c(m,g,M,A):g.isSpriteMaterial?l(m,g):g.isShadowMaterial?(m.color.value.copy(g.color),m.opacity.value=g.opacity):g.isShaderMaterial&&(g.uniformsNeedUpdate=!1)}function r(m,g){m.opacity.value=g.opacity,g.color&&m.diffuse.value.copy(g.color),g.emissive&&m.emissive.value.copy(g.emissive).multiplyScalar(g.emissiveIntensity),g.map&&(m.map.value=g.map,e(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.bumpMap&&(m.bumpMap.value=g.bumpMap,e(g.bumpMap,m.bumpMapTransform),m.bumpScale.value=g.bumpScale,g.side===Bn&&(m.bumpScale.value*=-1)),g.normalMap&&(m.normalMap.value=g.normalMap,e(g.normalMap,m.normalMapTransform),m.normalScale.value.copy(g.normalScale),g.side===Bn&&m.normalScale.value.negate()),g.displacementMap&&(m.displacementMap.value=g.displacementMap,e(g.displacementMap,m.displacementMapTransform),m.displacementScale.value=g.displacementScale,m.displacementBias.value=g.displacementBias),g.emissiveMap&&(m.emissiveMap.value=g.emissiveMap,e(g.emissiveMap,m.emissiveMapTransform)),g.specularMap&&(m.specularMap.value=g.specularMap,e(g.specularMap,m.specularMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest);let M=t.get(g),A=M.envMap,v=M.envMapRotation;A&&(m.envMap.value=A,m.envMapRotation.value.setFromMatrix4(yM.makeRotationFromEuler(v)).transpose(),A.isCubeTexture&&A.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(gm),m.reflectivity.value=g.reflectivity,m.ior.value=g.ior,m.refractionRatio.value=g.refractionRatio),g.lightMap&&(m.lightMap.value=g.lightMap,m.lightMapIntensity.value=g.lightMapIntensity,e(g.lightMap,m.lightMapTransform)),g.aoMap&&(m.aoMap.value=g.aoMap,m.aoMapIntensity.value=g.aoMapIntensity,e(g.aoMap,m.aoMapTransform))}function o(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,g.map&&(m.map.value=g.map,e(g.map,m.mapTransform))}function a(m,g){m.dashSize.value=g.dashSize,m.totalSize.value=g.dashSize+g.gapSize,m.scale.value=g.scale}function c(m,g,M,A){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.size.value=g.size*M,m.scale.value=A*.5,g.map&&(m.map.value=g.map,e(g.map,m.uvTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function l(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.rotation.value=g.rotation,g.map&&(m.map.value=g.map,e(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function h(m,g){m.specular.value.copy(g.specular),m.shininess.value=Math.max(g.shininess,1e-4)}function u(m,g){g.gradientMap&&(m.gradientMap.value=g.gradientMap)}function f(m,g){m.metalness.value=g.metalness,g.metalnessMap&&(m.metalnessMap.value=g.metalnessMap,e(g.metalnessMap,m.metalnessMapTransform)),m.roughness.value=g.roughness,g.roughnessMap&&(m.roughnessMap.value=g.roughnessMap,e(g.roughnessMap,m.roughnessMapTransform)),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)}function d(m,g,M){m.ior.value=g.ior,g.diffuseRoughness>0&&(m.diffuseRoughness.value=g.diffuseRoughness,g.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=g.diffuseRoughnessMap,e(g.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),g.sheen>0&&(m.sheenColor.value.copy(g.sheenColor).multiplyScalar(g.sheen),m.sheenRoughness.value=g.sheenRoughness,g.sheenColorMap&&(m.sheenColorMap.value=g.sheenColorMap,e(g.sheenColorMap,m.sheenColorMapTransform)),g.sheenRoughnessMap&&(m.sheenRoughnessMap.value=g.sheenRoughnessMap,e(g.sheenRoughnessMap,m.sheenRoughnessMapTransform))),g.clearcoat>0&&(m.clearcoat.value=g.clearcoat,m.clearcoatRoughness.value=g.clearcoatRoughness,g.clearcoatMap&&(m.clearcoatMap.value=g.clearcoatMap,e(g.clearcoatMap,m.clearcoatMapTransform)),g.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=g.clearcoatRoughnessMap,e(g.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),g.clearcoatNormalMap&&(m.clearcoatNormalMap.value=g.clearcoatNormalMap,e(g.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(g.clearcoatNormalScale),g.side===Bn&&m.clearcoatNormalScale.value.negate())),g.dispersion>0&&(m.dispersion.value=g.dispersion),g.retroreflectivity>0&&(m.retroreflectivity.value=g.retroreflectivity),g.iridescence>0&&(m.iridescence.value=g.iridescence,m.iridescenceIOR.value=g.iridescenceIOR,m.iridescenceThicknessMinimum.value=g.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=g.iridescenceThicknessMaximum,g.iridescenceMap&&(m.iridescenceMap.value=g.iridescenceMap,e(g.iridescenceMap,m.iridescenceMapTransform)),g.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=g.iridescenceThicknessMap,e(g.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),g.transmission>0&&(m.transmission.value=g.transmission,m.transmissionSamplerMap.value=M.texture,m.transmissionSamplerSize.value.set(M.width,M.height),g.transmissionMap&&(m.transmissionMap.value=g.transmissionMap,e(g.transmissionMap,m.transmissionMapTransform)),m.thickness.value=g.thickness,g.thicknessMap&&(m.thicknessMap.value=g.thicknessMap,e(g.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=g.attenuationDistance,m.attenuationColor.value.copy(g.attenuationColor)),g.anisotropy>0&&(m.anisotropyVector.value.set(g.anisotropy*Math.cos(g.anisotropyRotation),g.anisotropy*Math.sin(g.anisotropyRotation)),g.anisotropyMap&&(m.anisotropyMap.value=g.anisotropyMap,e(g.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=g.specularIntensity,m.specularColor.value.copy(g.specularColor),g.specularColorMap&&(m.specularColorMap.value=g.specularColorMap,e(g.specularColorMap,m.specularColorMapTransform)),g.specularIntensityMap&&(m.specularIntensityMap.value=g.specularIntensityMap,e(g.specularIntensityMap,m.specularIntensityMapTransform))}function p(m,g){g.matcap&&(m.matcap.value=g.matcap)}function y(m,g){let M=t.get(g).light;m.referencePosition.value.setFromMatrixPosition(M.matrixWorld),m.nearDistance.value=M.shadow.camera.near,m.farDistance.value=M.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function SM(i,t,e,n){let s={},r={};function o(M,A){let v=A.program;n.uniformBlockBinding(M,v,s[M.id])}function a(M,A){let v=s[M.id];v===void 0&&(p(M),v=c(M),s[M.id]=v,M.addEventListener("dispose",m));let R=A.program;n.updateUBOMapping(M,R);let T=t.render.frame;r[M.id]!==T&&(l(M),r[M.id]=T)}function c(M){let A=i.createBuffer(),v=M.__size,R=M.usage;return i.bindBuffer(i.UNIFORM_BUFFER,A),i.bufferData(i.UNIFORM_BUFFER,v,R),i.bindBuffer(i.UNIFORM_BUFFER,null),A}function l(M){let A=s[M.id],v=M.uniforms,R=M.__cache;i.bindBuffer(i.UNIFORM_BUFFER,A);for(let T=0,x=v.length;T<x;T++){let E=v[T];if(Array.isArray(E))for(let B=0,L=E.length;B<L;B++)h(E[B],T,B,R);else h(E,T,0,R)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(M,A,v,R){if(f(M,A,v,R)===!0){let T=M.__offset,x=M.value;if(Array.isArray(x)){let E=0;for(let B=0;B<x.length;B++){let L=x[B],D=y(L,!0);u(L,M.__data,E),E+=D.storage/Float32Array.BYTES_PER_ELEMENT}}else u(x,M.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,T,M.__data)}}function u(M,A,v){typeof M=="number"||typeof M=="boolean"?A[v]=M:M.isMatrix3?(A[v]=M.elements[0],A[v+1]=M.elements[1],A[v+2]=M.elements[2],A[v+3]=0,A[v+4]=M.elements[3],A[v+5]=M.elements[4],A[v+6]=M.elements[5],A[v+7]=0,A[v+8]=M.elements[6],A[v+9]=M.elements[7],A[v+10]=M.elements[8],A[v+11]=0):ArrayBuffer.isView(M)?A.set(M.subarray(0,A.length-v),v):M.toArray(A,v)}function f(M,A,v,R){let T=M.value,x=A+"_"+v;if(Array.isArray(T)){R[x]===void 0&&(R[x]=[]);let E=R[x],B=!1;for(let L=0;L<T.length;L++)d(T[L],E,L)===!0&&(B=!0);return B}return d(T,R,x)}function d(M,A,v){if(A[v]===void 0)return typeof M=="number"||typeof M=="boolean"?A[v]=M:ArrayBuffer.isView(M)?A[v]=M.slice():A[v]=M.clone(),!0;{let R=A[v];if(typeof M=="number"||typeof M=="boolean"){if(R!==M)return A[v]=M,!0}else{if(ArrayBuffer.isView(M))return!0;if(R.equals(M)===!1)return R.copy(M),!0}}return!1}function p(M){let A=M.uniforms,v=0,R=16;for(let x=0,E=A.length;x<E;x++){let B=Array.isArray(A[x])?A[x]:[A[x]];for(let L=0,D=B.length;L<D;L++){let k=B[L],V=Array.isArray(k.value)?k.value:[k.value],I=Array.isArray(A[x])||Array.isArray(k.value),G=v;for(let H=0,at=V.length;H<at;H++){let $=V[H],j=y($,I),nt=v%R,ut=nt%j.boundary,ht=nt+ut;v+=ut,ht!==0&&R-ht<j.storage&&(v+=R-ht),H===0&&(G=v),v+=j.storage}let Y=k.type==="int"?Int32Array:k.type==="uint"?Uint32Array:Float32Array;k.__data=new Y((v-G)/Float32Array.BYTES_PER_ELEMENT),k.__offset=G}}let T=v%R;return T>0&&(v+=R-T),M.__size=v,M.__cache={},this}function y(M,A){let v={boundary:0,storage:0};return typeof M=="number"||typeof M=="boolean"?(v.boundary=4,v.storage=4):M.isVector2?(v.boundary=8,v.storage=8):M.isVector3||M.isColor?(v.boundary=16,v.storage=12):M.isVector4?(v.boundary=16,v.storage=16):M.isMatrix3?(v.boundary=16,v.storage=48):M.isMatrix4?(v.boundary=16,v.storage=64):M.isTexture?Xt("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(M)?(v.boundary=16,v.storage=M.byteLength):Xt("WebGLRenderer: Unsupported uniform value type.",M),A===!0&&(v.boundary=16,v.storage=Math.ceil(v.storage/16)*16),v}function m(M){let A=M.target;A.removeEventListener("dispose",m),i.deleteBuffer(s[A.id]),delete s[A.id],delete r[A.id]}function g(){for(let M in s)i.deleteBuffer(s[M]);s={},r={}}return{bind:o,update:a,dispose:g}}var MM=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Ki=null;function bM(){return Ki===null&&(Ki=new Zi(MM,16,16,Vs,Di),Ki.name="DFG_LUT",Ki.minFilter=Fn,Ki.magFilter=Fn,Ki.wrapS=xi,Ki.wrapT=xi,Ki.generateMipmaps=!1,Ki.needsUpdate=!0),Ki}var Uc=class{constructor(t={}){let{canvas:e=Cp(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:c=!0,preserveDrawingBuffer:l=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:f=!1,outputBufferType:d=jn}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=o;let y=d,m=new Set([nc,ec,co]),g=new Set([jn,ci,lo,ar,jl,Ql]),M=new Uint32Array(4),A=new Int32Array(4),v={textures:[],min:[],max:[],resolution:[]},R=null,T=null,x=[],E=[],B=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=Ji,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let L=this,D=!1,k=null,V=null,I=null,G=null;this._outputColorSpace=yn;let Y=0,H=0,at=null,$=-1,j=null,nt=new Me,ut=new Me,ht=null,Q=new Zt(0),pt=0,xt=e.width,At=e.height,Mt=1,Ht=null,re=null,Vt=new Me(0,0,xt,At),ue=new Me(0,0,xt,At),le=!1,ie=new Ds,Xe=new Pl,Be=!1,an=!1,De=new Yt,Tn=new U,ye=new Me,_n={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},$e=!1;function ln(){return at===null?Mt:1}let O=n;function Ct(w,z){return e.getContext(w,z)}let Jt,oe,bt,Ue,zt,$t,C,S,X,ct,rt,gt,yt,tt,it,dt,F,st,et,wt,mt,St,Gt;try{let w={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:c,preserveDrawingBuffer:l,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",Ot,!1),e.addEventListener("webglcontextrestored",Qt,!1),e.addEventListener("webglcontextcreationerror",Rt,!1),O===null){let z="webgl2";if(O=Ct(z,w),O===null)throw Ct(z)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}jt()}catch(w){throw e.removeEventListener("webglcontextlost",Ot,!1),e.removeEventListener("webglcontextrestored",Qt,!1),e.removeEventListener("webglcontextcreationerror",Rt,!1),te("WebGLRenderer: "+w.message),w}function jt(){Jt=new Nv(O),Jt.init(),mt=new gM(O,Jt),oe=new bv(O,Jt,t,mt),bt=new pM(O,Jt),oe.reversedDepthBuffer&&f&&bt.buffers.depth.setReversed(!0),V=O.createFramebuffer(),I=O.createFramebuffer(),G=O.createFramebuffer(),Ue=new Ov(O),zt=new tM,$t=new mM(O,Jt,bt,zt,oe,mt,Ue),C=new Dv(L),S=new k_(O),St=new Sv(O,S),X=new Uv(O,S,Ue,St),ct=new kv(O,X,S,St,Ue),st=new Bv(O,oe,$t),it=new wv(zt),rt=new QS(L,C,Jt,oe,St,it),gt=new vM(L,zt),yt=new nM,tt=new lM(Jt),F=new vv(L,C,bt,ct,p,c),dt=new dM(L,ct,oe),Gt=new SM(O,Ue,oe,bt),et=new Mv(O,Jt,Ue),wt=new Fv(O,Jt,Ue),Ue.programs=rt.programs,L.capabilities=oe,L.extensions=Jt,L.properties=zt,L.renderLists=yt,L.shadowMap=dt,L.state=bt,L.info=Ue}y!==jn&&(B=new Vv(y,e.width,e.height,a,s,r));let lt=new $u(L,O);this.xr=lt,this.getContext=function(){return O},this.getContextAttributes=function(){return O.getContextAttributes()},this.forceContextLoss=function(){let w=Jt.get("WEBGL_lose_context");w&&w.loseContext()},this.forceContextRestore=function(){let w=Jt.get("WEBGL_lose_context");w&&w.restoreContext()},this.getPixelRatio=function(){return Mt},this.setPixelRatio=function(w){w!==void 0&&(Mt=w,this.setSize(xt,At,!1))},this.getSize=function(w){return w.set(xt,At)},this.setSize=function(w,z,K=!0){if(lt.isPresenting){Xt("WebGLRenderer: Can't change size while VR device is presenting.");return}xt=w,At=z,e.width=Math.floor(w*Mt),e.height=Math.floor(z*Mt),K===!0&&(e.style.width=w+"px",e.style.height=z+"px"),B!==null&&B.setSize(e.width,e.height),this.setViewport(0,0,w,z)},this.getDrawingBufferSize=function(w){return w.set(xt*Mt,At*Mt).floor()},this.setDrawingBufferSize=function(w,z,K){xt=w,At=z,Mt=K,e.width=Math.floor(w*K),e.height=Math.floor(z*K),this.setViewport(0,0,w,z)},this.setEffects=function(w){if(y===jn){te("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(w){for(let z=0;z<w.length;z++)if(w[z].isOutputPass===!0){Xt("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}B.setEffects(w||[])},this.getCurrentViewport=function(w){return w.copy(nt)},this.getViewport=function(w){return w.copy(Vt)},this.setViewport=function(w,z,K,q){w.isVector4?Vt.set(w.x,w.y,w.z,w.w):Vt.set(w,z,K,q),bt.viewport(nt.copy(Vt).multiplyScalar(ln()).round())},this.getScissor=function(w){return w.copy(ue)},this.setScissor=function(w,z,K,q){w.isVector4?ue.set(w.x,w.y,w.z,w.w):ue.set(w,z,K,q),bt.scissor(ut.copy(ue).multiplyScalar(ln()).round())},this.getScissorTest=function(){return le},this.setScissorTest=function(w){bt.setScissorTest(le=w)},this.setOpaqueSort=function(w){Ht=w},this.setTransparentSort=function(w){re=w},this.getClearColor=function(w){return w.copy(F.getClearColor())},this.setClearColor=function(){F.setClearColor(...arguments)},this.getClearAlpha=function(){return F.getClearAlpha()},this.setClearAlpha=function(){F.setClearAlpha(...arguments)},this.clear=function(w=!0,z=!0,K=!0){let q=0;if(w){let Z=!1;if(at!==null){let Et=at.texture.format;Z=m.has(Et)}if(Z){let Et=at.texture.type,Pt=g.has(Et),Tt=F.getClearColor(),It=F.getClearAlpha(),kt=Tt.r,ee=Tt.g,fe=Tt.b;Pt?(M[0]=kt,M[1]=ee,M[2]=fe,M[3]=It,O.clearBufferuiv(O.COLOR,0,M)):(A[0]=kt,A[1]=ee,A[2]=fe,A[3]=It,O.clearBufferiv(O.COLOR,0,A))}else q|=O.COLOR_BUFFER_BIT}z&&(q|=O.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),K&&(q|=O.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),q!==0&&O.clear(q)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(w){w.setRenderer(this),k=w},this.dispose=function(){e.removeEventListener("webglcontextlost",Ot,!1),e.removeEventListener("webglcontextrestored",Qt,!1),e.removeEventListener("webglcontextcreationerror",Rt,!1),F.dispose(),yt.dispose(),tt.dispose(),$t.dispose(),zt.dispose(),C.dispose(),ct.dispose(),X.dispose(),St.dispose(),Gt.dispose(),rt.dispose(),lt.dispose(),lt.removeEventListener("sessionstart",za),lt.removeEventListener("sessionend",Bi),ts.stop()};function Ot(w){w.preventDefault(),Iu("WebGLRenderer: Context Lost."),D=!0}function Qt(){Iu("WebGLRenderer: Context Restored."),D=!1;let w=Ue.autoReset,z=dt.enabled,K=dt.autoUpdate,q=dt.needsUpdate,Z=dt.type;jt(),Ue.autoReset=w,dt.enabled=z,dt.autoUpdate=K,dt.needsUpdate=q,dt.type=Z}function Rt(w){te("WebGLRenderer: A WebGL context could not be created. Reason: ",w.statusMessage)}function ae(w){let z=w.target;z.removeEventListener("dispose",ae),ke(z)}function ke(w){Wn(w),zt.remove(w)}function Wn(w){let z=zt.get(w).programs;z!==void 0&&(z.forEach(function(K){rt.releaseProgram(K)}),w.isShaderMaterial&&rt.releaseShaderCache(w))}this.renderBufferDirect=function(w,z,K,q,Z,Et){z===null&&(z=_n);let Pt=Z.isMesh&&Z.matrixWorld.determinantAffine()<0,Tt=Co(w,z,K,q,Z);bt.setMaterial(q,Pt);let It=K.index,kt=1;if(q.wireframe===!0){if(It=X.getWireframeAttribute(K),It===void 0)return;kt=2}let ee=K.drawRange,fe=K.attributes.position,Bt=ee.start*kt,de=(ee.start+ee.count)*kt;Et!==null&&(Bt=Math.max(Bt,Et.start*kt),de=Math.min(de,(Et.start+Et.count)*kt)),It!==null?(Bt=Math.max(Bt,0),de=Math.min(de,It.count)):fe!=null&&(Bt=Math.max(Bt,0),de=Math.min(de,fe.count));let Ze=de-Bt;if(Ze<0||Ze===1/0)return;St.setup(Z,q,Tt,K,It);let Pe,Ie=et;if(It!==null&&(Pe=S.get(It),Ie=wt,Ie.setIndex(Pe)),Z.isMesh)q.wireframe===!0?(bt.setLineWidth(q.wireframeLinewidth*ln()),Ie.setMode(O.LINES)):Ie.setMode(O.TRIANGLES);else if(Z.isLine){let xn=q.linewidth;xn===void 0&&(xn=1),bt.setLineWidth(xn*ln()),Z.isLineSegments?Ie.setMode(O.LINES):Z.isLineLoop?Ie.setMode(O.LINE_LOOP):Ie.setMode(O.LINE_STRIP)}else Z.isPoints?Ie.setMode(O.POINTS):Z.isSprite&&Ie.setMode(O.TRIANGLES);if(Z.isBatchedMesh)if(Jt.get("WEBGL_multi_draw"))Ie.renderMultiDraw(Z._multiDrawStarts,Z._multiDrawCounts,Z._multiDrawCount);else{let xn=Z._multiDrawStarts,Ut=Z._multiDrawCounts,cn=Z._multiDrawCount,ge=It?S.get(It).bytesPerElement:1,ns=zt.get(q).currentProgram.getUniforms();for(let hn=0;hn<cn;hn++)ns.setValue(O,"_gl_DrawID",hn),Ie.render(xn[hn]/ge,Ut[hn])}else if(Z.isInstancedMesh)Ie.renderInstances(Bt,Ze,Z.count);else if(K.isInstancedBufferGeometry){let xn=K._maxInstanceCount!==void 0?K._maxInstanceCount:1/0,Ut=Math.min(K.instanceCount,xn);Ie.renderInstances(Bt,Ze,Ut)}else Ie.render(Bt,Ze)};function To(w,z,K,q){k!==null&&w.isNodeMaterial&&k.setObject(q,w),Be===!0&&it.setState(w,K,!1),w.transparent===!0&&w.side===vn&&w.forceSinglePass===!1?(w.side=Bn,w.needsUpdate=!0,ki(w,z,q),w.side=Mi,w.needsUpdate=!0,ki(w,z,q),w.side=vn):ki(w,z,q)}this.compile=function(w,z,K=null){K===null&&(K=w),k!==null&&k.renderStart(w,z,K),T=tt.get(K),T.init(z),E.push(T),K.traverseVisible(function(Z){Z.isLight&&Z.layers.test(z.layers)&&(T.pushLight(Z),Z.castShadow&&T.pushShadow(Z))}),w!==K&&w.traverseVisible(function(Z){Z.isLight&&Z.layers.test(z.layers)&&(T.pushLight(Z),Z.castShadow&&T.pushShadow(Z))}),T.setupLights(),k!==null&&k.updateLights(T.state.lightsArray),an=this.localClippingEnabled,Be=it.init(this.clippingPlanes,an),Be===!0&&it.setGlobalState(this.clippingPlanes,z),k!==null&&dt.render(T.state.shadowsArray,K,z);let q=new Set;return w.traverse(function(Z){if(!(Z.isMesh||Z.isPoints||Z.isLine||Z.isSprite))return;let Et=Z.material;if(Et)if(Array.isArray(Et))for(let Pt=0;Pt<Et.length;Pt++){let Tt=Et[Pt];To(Tt,K,z,Z),q.add(Tt)}else To(Et,K,z,Z),q.add(Et)}),T=E.pop(),k!==null&&k.renderEnd(),q},this.compileAsync=function(w,z,K=null){let q=this.compile(w,z,K);return new Promise(Z=>{function Et(){if(q.forEach(function(Pt){let It=zt.get(Pt).currentProgram;(It===void 0||It.isReady())&&q.delete(Pt)}),q.size===0){Z(w);return}setTimeout(Et,10)}Jt.get("KHR_parallel_shader_compile")!==null?Et():setTimeout(Et,10)})};let gr=null;function xh(w){gr&&gr(w)}function za(){ts.stop()}function Bi(){ts.start()}let ts=new om;ts.setAnimationLoop(xh),typeof self<"u"&&ts.setContext(self),this.setAnimationLoop=function(w){gr=w,lt.setAnimationLoop(w),w===null?ts.stop():ts.start()},lt.addEventListener("sessionstart",za),lt.addEventListener("sessionend",Bi),this.render=function(w,z){if(z!==void 0&&z.isCamera!==!0){te("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(D===!0)return;k!==null&&k.renderStart(w,z);let K=lt.enabled===!0&&lt.isPresenting===!0,q=B!==null&&(at===null||K)&&B.begin(L,at);if(w.matrixWorldAutoUpdate===!0&&w.updateMatrixWorld(),z.parent===null&&z.matrixWorldAutoUpdate===!0&&z.updateMatrixWorld(),lt.enabled===!0&&lt.isPresenting===!0&&(B===null||B.isCompositing()===!1)&&(lt.cameraAutoUpdate===!0&&lt.updateCamera(z),z=lt.getCamera()),w.isScene===!0&&w.onBeforeRender(L,w,z,at),T=tt.get(w,E.length),T.init(z),T.state.textureUnits=$t.getTextureUnits(),E.push(T),De.multiplyMatrices(z.projectionMatrix,z.matrixWorldInverse),z.isArrayCamera?Xe.setFromArrayCamera(z):ie.setFromProjectionMatrix(De,yi,z.reversedDepth),an=this.localClippingEnabled,Be=it.init(this.clippingPlanes,an),R=yt.get(w,x.length),R.init(),x.push(R),this.info.render.frame++,lt.enabled===!0&&lt.isPresenting===!0){let Pt=L.xr.getDepthSensingMesh();Pt!==null&&es(Pt,z,-1/0,L.sortObjects)}es(w,z,0,L.sortObjects),R.finish(),k!==null&&k.updateLights(T.state.lightsArray),L.sortObjects===!0&&R.sort(Ht,re),$e=lt.enabled===!1||lt.isPresenting===!1||lt.hasDepthSensing()===!1,$e&&F.addToRenderList(R,w),this.info.autoReset===!0&&this.info.reset(),Be===!0&&it.beginShadows();let Z=T.state.shadowsArray;if(dt.render(Z,w,z),Be===!0&&it.endShadows(),(q&&B.hasRenderPass())===!1){let Pt=R.opaque,Tt=R.transmissive;if(T.setupLights(),z.isArrayCamera){let It=z.cameras;if(Tt.length>0)for(let kt=0,ee=It.length;kt<ee;kt++){let fe=It[kt];Ei(Pt,Tt,w,fe)}$e&&F.render(w);for(let kt=0,ee=It.length;kt<ee;kt++){let fe=It[kt];Ao(R,w,fe,fe.viewport)}}else Tt.length>0&&Ei(Pt,Tt,w,z),$e&&F.render(w),Ao(R,w,z)}at!==null&&H===0&&($t.updateMultisampleRenderTarget(at),$t.updateRenderTargetMipmap(at)),q&&B.end(L),w.isScene===!0&&w.onAfterRender(L,w,z),St.resetDefaultState(),$=-1,j=null,E.pop(),E.length>0?(T=E[E.length-1],$t.setTextureUnits(T.state.textureUnits),Be===!0&&it.setGlobalState(L.clippingPlanes,T.state.camera)):T=null,x.pop(),x.length>0?R=x[x.length-1]:R=null,k!==null&&k.renderEnd()};function es(w,z,K,q){if(w.visible===!1)return;if(w.layers.test(z.layers)){if(w.isGroup)K=w.renderOrder;else if(w.isLOD)w.autoUpdate===!0&&w.update(z);else if(w.isLight)T.pushLight(w),w.castShadow&&T.pushShadow(w);else if(w.isSprite){let Pt=z.isArrayCamera?Xe:ie;if(!w.frustumCulled||w.intersectsFrustum(Pt)){q&&ye.setFromMatrixPosition(w.matrixWorld).applyMatrix4(De);let Tt=ct.update(w),It=w.material;It.visible&&R.push(w,Tt,It,K,ye.z,null,z)}}else if(w.isMesh||w.isLine||w.isPoints){let Pt=z.isArrayCamera?Xe:ie;if(!w.frustumCulled||w.intersectsFrustum(Pt)){let Tt=ct.update(w),It=w.material;if(q&&(w.boundingSphere!==void 0?(w.boundingSphere===null&&w.computeBoundingSphere(),ye.copy(w.boundingSphere.center)):(Tt.boundingSphere===null&&Tt.computeBoundingSphere(),ye.copy(Tt.boundingSphere.center)),ye.applyMatrix4(w.matrixWorld).applyMatrix4(De)),Array.isArray(It)){let kt=Tt.groups;for(let ee=0,fe=kt.length;ee<fe;ee++){let Bt=kt[ee],de=It[Bt.materialIndex];de&&de.visible&&R.push(w,Tt,de,K,ye.z,Bt,z)}}else It.visible&&R.push(w,Tt,It,K,ye.z,null,z)}}}let Et=w.children;for(let Pt=0,Tt=Et.length;Pt<Tt;Pt++)es(Et[Pt],z,K,q)}function Ao(w,z,K,q){let{opaque:Z,transmissive:Et,transparent:Pt}=w;T.setupLightsView(K),Be===!0&&it.setGlobalState(L.clippingPlanes,K),q&&bt.viewport(nt.copy(q)),Z.length>0&&Je(Z,z,K),Et.length>0&&Je(Et,z,K),Pt.length>0&&Je(Pt,z,K),bt.buffers.depth.setTest(!0),bt.buffers.depth.setMask(!0),bt.buffers.color.setMask(!0),bt.setPolygonOffset(!1)}function Ei(w,z,K,q){if((K.isScene===!0?K.overrideMaterial:null)!==null)return;if(T.state.transmissionRenderTarget[q.id]===void 0){let Bt=Jt.has("EXT_color_buffer_half_float")||Jt.has("EXT_color_buffer_float");T.state.transmissionRenderTarget[q.id]=new ai(1,1,{generateMipmaps:!0,type:Bt?Di:jn,minFilter:ms,samples:Math.max(4,oe.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:_e.workingColorSpace})}let Et=T.state.transmissionRenderTarget[q.id],Pt=q.viewport||nt;Et.setSize(Pt.z*L.transmissionResolutionScale,Pt.w*L.transmissionResolutionScale);let Tt=L.getRenderTarget(),It=L.getActiveCubeFace(),kt=L.getActiveMipmapLevel();L.setRenderTarget(Et),L.getClearColor(Q),pt=L.getClearAlpha(),pt<1&&L.setClearColor(16777215,.5),L.clear(),$e&&F.render(K);let ee=L.toneMapping;L.toneMapping=Ji;let fe=q.viewport;if(q.viewport!==void 0&&(q.viewport=void 0),T.setupLightsView(q),Be===!0&&it.setGlobalState(L.clippingPlanes,q),Je(w,K,q),$t.updateMultisampleRenderTarget(Et),$t.updateRenderTargetMipmap(Et),Jt.has("WEBGL_multisampled_render_to_texture")===!1){let Bt=!1;for(let de=0,Ze=z.length;de<Ze;de++){let Pe=z[de],{object:Ie,geometry:xn,material:Ut,group:cn}=Pe;if(Ut.side===vn&&Ie.layers.test(q.layers)){let ge=Ut.side;Ut.side=Bn,Ut.needsUpdate=!0,en(Ie,K,q,xn,Ut,cn),Ut.side=ge,Ut.needsUpdate=!0,Bt=!0}}Bt===!0&&($t.updateMultisampleRenderTarget(Et),$t.updateRenderTargetMipmap(Et))}L.setRenderTarget(Tt,It,kt),L.setClearColor(Q,pt),fe!==void 0&&(q.viewport=fe),L.toneMapping=ee}function Je(w,z,K){let q=z.isScene===!0?z.overrideMaterial:null;for(let Z=0,Et=w.length;Z<Et;Z++){let Pt=w[Z],{object:Tt,geometry:It,group:kt}=Pt,ee=Pt.material;ee.allowOverride===!0&&q!==null&&(ee=q),Tt.layers.test(K.layers)&&en(Tt,z,K,It,ee,kt)}}function en(w,z,K,q,Z,Et){k!==null&&Z.isNodeMaterial&&k.setObject(w,Z),w.onBeforeRender(L,z,K,q,Z,Et),w.modelViewMatrix.multiplyMatrices(K.matrixWorldInverse,w.matrixWorld),w.normalMatrix.getNormalMatrix(w.modelViewMatrix),Z.onBeforeRender(L,z,K,q,w,Et),Z.transparent===!0&&Z.side===vn&&Z.forceSinglePass===!1?(Z.side=Bn,Z.needsUpdate=!0,L.renderBufferDirect(K,z,q,Z,w,Et),Z.side=Mi,Z.needsUpdate=!0,L.renderBufferDirect(K,z,q,Z,w,Et),Z.side=vn):L.renderBufferDirect(K,z,q,Z,w,Et),w.onAfterRender(L,z,K,q,Z,Et)}function nn(w){let z=0;for(let K of w)K.texture!==null&&z++;return z}function ki(w,z,K){z.isScene!==!0&&(z=_n);let q=zt.get(w),Z=T.state.lights,Et=T.state.shadowsArray,Pt=Z.state.version,Tt=rt.getParameters(w,Z.state,Et,z,K,T.state.lightProbeGridArray),It=rt.getProgramCacheKey(Tt),kt=q.programs;q.environment=w.isMeshStandardMaterial||w.isMeshLambertMaterial||w.isMeshPhongMaterial?z.environment:null,q.fog=z.fog;let ee=w.isMeshStandardMaterial||w.isMeshLambertMaterial&&!w.envMap||w.isMeshPhongMaterial&&!w.envMap;q.envMap=C.get(w.envMap||q.environment,ee),q.envMapRotation=q.environment!==null&&w.envMap===null?z.environmentRotation:w.envMapRotation,kt===void 0&&(w.addEventListener("dispose",ae),kt=new Map,q.programs=kt,q.programVariants=new Map);let fe=kt.get(It);if(fe!==void 0){if(q.currentProgram===fe&&q.lightsStateVersion===Pt)return Ro(w,Tt),fe}else Tt.uniforms=rt.getUniforms(w),k!==null&&w.isNodeMaterial&&k.build(w,K,Tt),w.onBeforeCompile(Tt,L),fe=rt.acquireProgram(Tt,It),kt.set(It,fe),q.uniforms=Tt.uniforms;let Bt=q.uniforms;return(!w.isShaderMaterial&&!w.isRawShaderMaterial||w.clipping===!0)&&(Bt.clippingPlanes=it.uniform),Ro(w,Tt),q.needsLights=Ms(w),q.lightsStateVersion=Pt,q.needsLights&&(Bt.ambientLightColor.value=Z.state.ambient,Bt.lightProbe.value=Z.state.probe,Bt.sunLights.value=Z.state.sun,Bt.sunLightShadows.value=Z.state.sunShadow,Bt.directionalLights.value=Z.state.directional,Bt.directionalLightShadows.value=Z.state.directionalShadow,Bt.spotLights.value=Z.state.spot,Bt.spotLightShadows.value=Z.state.spotShadow,Bt.rectAreaLights.value=Z.state.rectArea,Bt.ltc_1.value=Z.state.rectAreaLTC1,Bt.ltc_2.value=Z.state.rectAreaLTC2,Bt.pointLights.value=Z.state.point,Bt.pointLightShadows.value=Z.state.pointShadow,Bt.hemisphereLights.value=Z.state.hemi,Bt.sunShadowMatrix.value=Z.state.sunShadowMatrix,Bt.sunShadowCascade.value=Z.state.sunShadowCascade,Bt.directionalShadowMatrix.value=Z.state.directionalShadowMatrix,Bt.spotLightMatrix.value=Z.state.spotLightMatrix,Bt.spotLightMap.value=Z.state.spotLightMap,Bt.pointShadowMatrix.value=Z.state.pointShadowMatrix),q.numLightProbeGrids=nn(T.state.lightProbeGridArray),q.currentProgram=fe,q.uniformsList=null,fe}function ei(w,z,K,q,Z){let Et=zt.get(w),Pt=Et.currentProgram.id+","+q+","+Z,Tt=Et.programVariants.get(Pt);return Tt===void 0?(Tt=ki(w,z,K),Et.programVariants.set(Pt,Tt)):(Et.currentProgram=Tt,Et.uniformsList=null,Et.outputColorSpace=q,Et.toneMapping=Z),Tt}function Ss(w){if(w.uniformsList===null){let z=w.currentProgram.getUniforms();w.uniformsList=ho.seqWithValue(z.seq,w.uniforms)}return w.uniformsList}function Ro(w,z){let K=zt.get(w);K.outputColorSpace=z.outputColorSpace,K.batching=z.batching,K.batchingColor=z.batchingColor,K.instancing=z.instancing,K.instancingColor=z.instancingColor,K.instancingMorph=z.instancingMorph,K.skinning=z.skinning,K.morphTargets=z.morphTargets,K.morphNormals=z.morphNormals,K.morphColors=z.morphColors,K.morphTargetsCount=z.morphTargetsCount,K.numClippingPlanes=z.numClippingPlanes,K.numIntersection=z.numClipIntersection,K.vertexAlphas=z.vertexAlphas,K.vertexTangents=z.vertexTangents,K.toneMapping=z.toneMapping}function Co(w,z,K,q,Z){z.isScene!==!0&&(z=_n),$t.resetTextureUnits();let Et=z.fog,Pt=q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial?z.environment:null,Tt=at===null?L.outputColorSpace:at.isXRRenderTarget===!0?at.texture.colorSpace:_e.workingColorSpace,It=q.isMeshStandardMaterial||q.isMeshLambertMaterial&&!q.envMap||q.isMeshPhongMaterial&&!q.envMap,kt=C.get(q.envMap||Pt,It),ee=q.vertexColors===!0&&!!K.attributes.color&&K.attributes.color.itemSize===4,fe=!!K.attributes.tangent&&(!!q.normalMap||q.anisotropy>0),Bt=!!K.morphAttributes.position,de=!!K.morphAttributes.normal,Ze=!!K.morphAttributes.color,Pe=Ji;q.toneMapped&&(at===null||at.isXRRenderTarget===!0)&&(Pe=L.toneMapping);let Ie=K.morphAttributes.position||K.morphAttributes.normal||K.morphAttributes.color,xn=Ie!==void 0?Ie.length:0,Ut=zt.get(q),cn=T.state.lights;if(Be===!0&&(an===!0||w!==j)){let Le=w===j&&q.id===$;it.setState(q,w,Le)}let ge=!1,ns=!1;q.version===Ut.__version?Ut.needsLights&&Ut.lightsStateVersion!==cn.state.version||Z.isBatchedMesh&&Ut.batching===!1||!Z.isBatchedMesh&&Ut.batching===!0||Z.isBatchedMesh&&Ut.batchingColor===!0&&Z._colorsTexture===null||Z.isBatchedMesh&&Ut.batchingColor===!1&&Z._colorsTexture!==null||Z.isInstancedMesh&&Ut.instancing===!1||!Z.isInstancedMesh&&Ut.instancing===!0||Z.isSkinnedMesh&&Ut.skinning===!1||!Z.isSkinnedMesh&&Ut.skinning===!0||Z.isInstancedMesh&&Ut.instancingColor===!0&&Z.instanceColor===null||Z.isInstancedMesh&&Ut.instancingColor===!1&&Z.instanceColor!==null||Z.isInstancedMesh&&Ut.instancingMorph===!0&&Z.morphTexture===null||Z.isInstancedMesh&&Ut.instancingMorph===!1&&Z.morphTexture!==null||Ut.envMap!==kt||q.fog===!0&&Ut.fog!==Et||Ut.numClippingPlanes!==void 0&&(Ut.numClippingPlanes!==it.numPlanes||Ut.numIntersection!==it.numIntersection)||Ut.vertexAlphas!==ee||Ut.vertexTangents!==fe||Ut.morphTargets!==Bt||Ut.morphNormals!==de||Ut.morphColors!==Ze||Ut.morphTargetsCount!==xn||Ut.numLightProbeGrids!==nn(T.state.lightProbeGridArray)?ge=!0:(Ut.outputColorSpace!==Tt||Ut.toneMapping!==Pe)&&(ns=!0):(ge=!0,Ut.__version=q.version);let hn=Ut.currentProgram;(ge===!0||ns===!0)&&(hn=ns===!0?ei(q,z,Z,Tt,Pe):ki(q,z,Z),k&&q.isNodeMaterial&&k.onUpdateProgram(q,hn,Ut));let yr=!1,zi=!1,is=!1,ce=hn.getUniforms(),Ke=Ut.uniforms;if(bt.useProgram(hn.program)&&(yr=!0,zi=!0,is=!0),q.id!==$&&($=q.id,zi=!0),yr||j!==w){bt.buffers.depth.getReversed()&&w.reversedDepth!==!0&&(w._reversedDepth=!0,w.updateProjectionMatrix()),ce.setValue(O,"projectionMatrix",w.projectionMatrix),ce.setValue(O,"viewMatrix",w.matrixWorldInverse);let un=ce.map.cameraPosition;un!==void 0&&un.setValue(O,Tn.setFromMatrixPosition(w.matrixWorld)),oe.logarithmicDepthBuffer&&ce.setValue(O,"logDepthBufFC",2/(Math.log(w.far+1)/Math.LN2)),(q.isMeshPhongMaterial||q.isMeshToonMaterial||q.isMeshLambertMaterial||q.isMeshBasicMaterial||q.isMeshStandardMaterial||q.isShaderMaterial)&&ce.setValue(O,"isOrthographic",w.isOrthographicCamera===!0),j!==w&&(j=w,zi=!0,is=!0)}if(Ut.needsLights&&(cn.state.sunShadowMap.length>0&&ce.setValue(O,"sunShadowMap",cn.state.sunShadowMap,$t),cn.state.directionalShadowMap.length>0&&ce.setValue(O,"directionalShadowMap",cn.state.directionalShadowMap,$t),cn.state.spotShadowMap.length>0&&ce.setValue(O,"spotShadowMap",cn.state.spotShadowMap,$t),cn.state.pointShadowMap.length>0&&ce.setValue(O,"pointShadowMap",cn.state.pointShadowMap,$t)),Z.isSkinnedMesh){ce.setOptional(O,Z,"bindMatrix"),ce.setOptional(O,Z,"bindMatrixInverse");let Le=Z.skeleton;Le&&(Le.boneTexture===null&&Le.computeBoneTexture(),ce.setValue(O,"boneTexture",Le.boneTexture,$t))}Z.isBatchedMesh&&(ce.setOptional(O,Z,"batchingTexture"),ce.setValue(O,"batchingTexture",Z._matricesTexture,$t),ce.setOptional(O,Z,"batchingIdTexture"),ce.setValue(O,"batchingIdTexture",Z._indirectTexture,$t),ce.setOptional(O,Z,"batchingColorTexture"),Z._colorsTexture!==null&&ce.setValue(O,"batchingColorTexture",Z._colorsTexture,$t));let Xn=K.morphAttributes;if((Xn.position!==void 0||Xn.normal!==void 0||Xn.color!==void 0)&&st.update(Z,K,hn),(zi||Ut.receiveShadow!==Z.receiveShadow)&&(Ut.receiveShadow=Z.receiveShadow,ce.setValue(O,"receiveShadow",Z.receiveShadow)),(q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial)&&q.envMap===null&&z.environment!==null&&(Ke.envMapIntensity.value=z.environmentIntensity),Ke.dfgLUT!==void 0&&(Ke.dfgLUT.value=bM()),zi){if(ce.setValue(O,"toneMappingExposure",L.toneMappingExposure),Ut.needsLights&&_r(Ke,is),Et&&q.fog===!0&&gt.refreshFogUniforms(Ke,Et),gt.refreshMaterialUniforms(Ke,q,Mt,At,T.state.transmissionRenderTarget[w.id]),Ut.needsLights&&Ut.numLightProbeGrids>0){let Le=v,un=0;for(let kn of T.state.lightProbeGridArray)kn.texture!==null&&(Le.textures[un]=kn.texture,Le.min[un]=kn.boundingBox.min,Le.max[un]=kn.boundingBox.max,Le.resolution[un]=kn.resolution,un++);for(let kn in Le)Le[kn].length=un;Ke.probesSH.value=Le.textures,Ke.probesMin.value=Le.min,Ke.probesMax.value=Le.max,Ke.probesResolution.value=Le.resolution}ho.upload(O,Ss(Ut),Ke,$t)}if(q.isShaderMaterial&&q.uniformsNeedUpdate===!0&&(ho.upload(O,Ss(Ut),Ke,$t),q.uniformsNeedUpdate=!1),q.isSpriteMaterial&&ce.setValue(O,"center",Z.center),ce.setValue(O,"modelViewMatrix",Z.modelViewMatrix),ce.setValue(O,"normalMatrix",Z.normalMatrix),ce.setValue(O,"modelMatrix",Z.matrixWorld),q.uniformsGroups!==void 0){let Le=q.uniformsGroups;for(let un=0,kn=Le.length;un<kn;un++){let Va=Le[un];Gt.update(Va,hn),Gt.bind(Va,hn)}}return hn}function _r(w,z){w.ambientLightColor.needsUpdate=z,w.lightProbe.needsUpdate=z,w.sunLights.needsUpdate=z,w.sunLightShadows.needsUpdate=z,w.directionalLights.needsUpdate=z,w.directionalLightShadows.needsUpdate=z,w.pointLights.needsUpdate=z,w.pointLightShadows.needsUpdate=z,w.spotLights.needsUpdate=z,w.spotLightShadows.needsUpdate=z,w.rectAreaLights.needsUpdate=z,w.hemisphereLights.needsUpdate=z}function Ms(w){return w.isMeshLambertMaterial||w.isMeshToonMaterial||w.isMeshPhongMaterial||w.isMeshStandardMaterial||w.isShadowMaterial||w.isShaderMaterial&&w.lights===!0}this.getActiveCubeFace=function(){return Y},this.getActiveMipmapLevel=function(){return H},this.getRenderTarget=function(){return at},this.setRenderTargetTextures=function(w,z,K){let q=zt.get(w);q.__autoAllocateDepthBuffer=w.resolveDepthBuffer===!1,q.__autoAllocateDepthBuffer===!1&&(q.__useRenderToTexture=!1),zt.get(w.texture).__webglTexture=z,zt.get(w.depthTexture).__webglTexture=q.__autoAllocateDepthBuffer?void 0:K,q.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(w,z){let K=zt.get(w);K.__webglFramebuffer=z,K.__useDefaultFramebuffer=z===void 0},this.setRenderTarget=function(w,z=0,K=0){at=w,Y=z,H=K;let q=null,Z=!1,Et=!1;if(w){let Tt=zt.get(w);if(Tt.__useDefaultFramebuffer!==void 0){bt.bindFramebuffer(O.FRAMEBUFFER,Tt.__webglFramebuffer),nt.copy(w.viewport),ut.copy(w.scissor),ht=w.scissorTest,bt.viewport(nt),bt.scissor(ut),bt.setScissorTest(ht),$=-1;return}else if(Tt.__webglFramebuffer===void 0)$t.setupRenderTarget(w);else if(Tt.__hasExternalTextures)$t.rebindTextures(w,zt.get(w.texture).__webglTexture,zt.get(w.depthTexture).__webglTexture);else if(w.depthBuffer){let ee=w.depthTexture;if(Tt.__boundDepthTexture!==ee){if(ee!==null&&zt.has(ee)&&(w.width!==ee.image.width||w.height!==ee.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");$t.setupDepthRenderbuffer(w)}}let It=w.texture;(It.isData3DTexture||It.isDataArrayTexture||It.isCompressedArrayTexture)&&(Et=!0);let kt=zt.get(w).__webglFramebuffer;w.isWebGLCubeRenderTarget?(Array.isArray(kt[z])?q=kt[z][K]:q=kt[z],Z=!0):w.samples>0&&$t.useMultisampledRTT(w)===!1?q=zt.get(w).__webglMultisampledFramebuffer:Array.isArray(kt)?q=kt[K]:q=kt,nt.copy(w.viewport),ut.copy(w.scissor),ht=w.scissorTest}else nt.copy(Vt).multiplyScalar(Mt).floor(),ut.copy(ue).multiplyScalar(Mt).floor(),ht=le;if(K!==0&&(q=V),bt.bindFramebuffer(O.FRAMEBUFFER,q)&&bt.drawBuffers(w,q),bt.viewport(nt),bt.scissor(ut),bt.setScissorTest(ht),Z){let Tt=zt.get(w.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_CUBE_MAP_POSITIVE_X+z,Tt.__webglTexture,K)}else if(Et){let Tt=z;for(let It=0;It<w.textures.length;It++){let kt=zt.get(w.textures[It]);O.framebufferTextureLayer(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0+It,kt.__webglTexture,K,Tt)}}else if(w!==null&&K!==0){let Tt=zt.get(w.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,Tt.__webglTexture,K)}$=-1};function xr(w){let z=zt.get(w);return(z.__readFormat!==w.format||z.__readType!==w.type)&&(z.__readFormat=w.format,z.__readType=w.type,z.__formatReadable=oe.textureFormatReadable(w.format),z.__typeReadable=oe.textureTypeReadable(w.type)),z}this.readRenderTargetPixels=function(w,z,K,q,Z,Et,Pt,Tt=0){if(!(w&&w.isWebGLRenderTarget)){te("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let It=zt.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It){bt.bindFramebuffer(O.FRAMEBUFFER,It);try{let kt=w.textures[Tt],ee=kt.format,fe=kt.type;w.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+Tt);let Bt=xr(kt);if(Bt.__formatReadable===!1){te("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Bt.__typeReadable===!1){te("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}z>=0&&z<=w.width-q&&K>=0&&K<=w.height-Z&&O.readPixels(z,K,q,Z,mt.convert(ee),mt.convert(fe),Et)}finally{let kt=at!==null?zt.get(at).__webglFramebuffer:null;bt.bindFramebuffer(O.FRAMEBUFFER,kt)}}},this.readRenderTargetPixelsAsync=async function(w,z,K,q,Z,Et,Pt,Tt=0){if(!(w&&w.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let It=zt.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It)if(z>=0&&z<=w.width-q&&K>=0&&K<=w.height-Z){bt.bindFramebuffer(O.FRAMEBUFFER,It);let kt=w.textures[Tt],ee=kt.format,fe=kt.type;w.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+Tt);let Bt=xr(kt);if(Bt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Bt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let de=O.createBuffer();O.bindBuffer(O.PIXEL_PACK_BUFFER,de),O.bufferData(O.PIXEL_PACK_BUFFER,Et.byteLength,O.STREAM_READ),O.readPixels(z,K,q,Z,mt.convert(ee),mt.convert(fe),0),O.bindBuffer(O.PIXEL_PACK_BUFFER,null);let Ze=at!==null?zt.get(at).__webglFramebuffer:null;bt.bindFramebuffer(O.FRAMEBUFFER,Ze);let Pe=O.fenceSync(O.SYNC_GPU_COMMANDS_COMPLETE,0);return O.flush(),await Ip(O,Pe,4),O.bindBuffer(O.PIXEL_PACK_BUFFER,de),O.getBufferSubData(O.PIXEL_PACK_BUFFER,0,Et),O.bindBuffer(O.PIXEL_PACK_BUFFER,null),O.deleteBuffer(de),O.deleteSync(Pe),Et}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(w,z=null,K=0){let q=Math.pow(2,-K),Z=Math.floor(w.image.width*q),Et=Math.floor(w.image.height*q),Pt=z!==null?z.x:0,Tt=z!==null?z.y:0;$t.setTexture2D(w,0),O.copyTexSubImage2D(O.TEXTURE_2D,K,0,0,Pt,Tt,Z,Et),bt.unbindTexture()},this.copyTextureToTexture=function(w,z,K=null,q=null,Z=0,Et=0){let Pt,Tt,It,kt,ee,fe,Bt,de,Ze,Pe=w.isCompressedTexture?w.mipmaps[Et]:w.image;if(K!==null)Pt=K.max.x-K.min.x,Tt=K.max.y-K.min.y,It=K.isBox3?K.max.z-K.min.z:1,kt=K.min.x,ee=K.min.y,fe=K.isBox3?K.min.z:0;else{let ce=Math.pow(2,-Z);Pt=Math.floor(Pe.width*ce),Tt=Math.floor(Pe.height*ce),w.isDataArrayTexture?It=Pe.depth:w.isData3DTexture?It=Math.floor(Pe.depth*ce):It=1,kt=0,ee=0,fe=0}q!==null?(Bt=q.x,de=q.y,Ze=q.z):(Bt=0,de=0,Ze=0);let Ie=mt.convert(z.format),xn=mt.convert(z.type),Ut;z.isData3DTexture?($t.setTexture3D(z,0),Ut=O.TEXTURE_3D):z.isDataArrayTexture||z.isCompressedArrayTexture?($t.setTexture2DArray(z,0),Ut=O.TEXTURE_2D_ARRAY):($t.setTexture2D(z,0),Ut=O.TEXTURE_2D),bt.activeTexture(O.TEXTURE0),bt.pixelStorei(O.UNPACK_FLIP_Y_WEBGL,z.flipY),bt.pixelStorei(O.UNPACK_PREMULTIPLY_ALPHA_WEBGL,z.premultiplyAlpha),bt.pixelStorei(O.UNPACK_ALIGNMENT,z.unpackAlignment);let cn=bt.getParameter(O.UNPACK_ROW_LENGTH),ge=bt.getParameter(O.UNPACK_IMAGE_HEIGHT),ns=bt.getParameter(O.UNPACK_SKIP_PIXELS),hn=bt.getParameter(O.UNPACK_SKIP_ROWS),yr=bt.getParameter(O.UNPACK_SKIP_IMAGES);bt.pixelStorei(O.UNPACK_ROW_LENGTH,Pe.width),bt.pixelStorei(O.UNPACK_IMAGE_HEIGHT,Pe.height),bt.pixelStorei(O.UNPACK_SKIP_PIXELS,kt),bt.pixelStorei(O.UNPACK_SKIP_ROWS,ee),bt.pixelStorei(O.UNPACK_SKIP_IMAGES,fe);let zi=w.isDataArrayTexture||w.isData3DTexture,is=z.isDataArrayTexture||z.isData3DTexture;if(w.isDepthTexture){let ce=zt.get(w),Ke=zt.get(z),Xn=zt.get(ce.__renderTarget),Le=zt.get(Ke.__renderTarget);bt.bindFramebuffer(O.READ_FRAMEBUFFER,Xn.__webglFramebuffer),bt.bindFramebuffer(O.DRAW_FRAMEBUFFER,Le.__webglFramebuffer);for(let un=0;un<It;un++)zi&&(O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,zt.get(w).__webglTexture,Z,fe+un),O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,zt.get(z).__webglTexture,Et,Ze+un)),O.blitFramebuffer(kt,ee,kt+Pt,ee+Tt,Bt,de,Bt+Pt,de+Tt,O.DEPTH_BUFFER_BIT,O.NEAREST);bt.bindFramebuffer(O.READ_FRAMEBUFFER,null),bt.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else if(Z!==0||w.isRenderTargetTexture||zt.has(w)){let ce=zt.get(w),Ke=zt.get(z);bt.bindFramebuffer(O.READ_FRAMEBUFFER,I),bt.bindFramebuffer(O.DRAW_FRAMEBUFFER,G);for(let Xn=0;Xn<It;Xn++)zi?O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,ce.__webglTexture,Z,fe+Xn):O.framebufferTexture2D(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,ce.__webglTexture,Z),is?O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,Ke.__webglTexture,Et,Ze+Xn):O.framebufferTexture2D(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,Ke.__webglTexture,Et),Z!==0?O.blitFramebuffer(kt,ee,kt+Pt,ee+Tt,Bt,de,Bt+Pt,de+Tt,O.COLOR_BUFFER_BIT,O.NEAREST):is?O.copyTexSubImage3D(Ut,Et,Bt,de,Ze+Xn,kt,ee,Pt,Tt):O.copyTexSubImage2D(Ut,Et,Bt,de,kt,ee,Pt,Tt);bt.bindFramebuffer(O.READ_FRAMEBUFFER,null),bt.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else is?w.isDataTexture||w.isData3DTexture?O.texSubImage3D(Ut,Et,Bt,de,Ze,Pt,Tt,It,Ie,xn,Pe.data):z.isCompressedArrayTexture?O.compressedTexSubImage3D(Ut,Et,Bt,de,Ze,Pt,Tt,It,Ie,Pe.data):O.texSubImage3D(Ut,Et,Bt,de,Ze,Pt,Tt,It,Ie,xn,Pe):w.isDataTexture?O.texSubImage2D(O.TEXTURE_2D,Et,Bt,de,Pt,Tt,Ie,xn,Pe.data):w.isCompressedTexture?O.compressedTexSubImage2D(O.TEXTURE_2D,Et,Bt,de,Pe.width,Pe.height,Ie,Pe.data):O.texSubImage2D(O.TEXTURE_2D,Et,Bt,de,Pt,Tt,Ie,xn,Pe);bt.pixelStorei(O.UNPACK_ROW_LENGTH,cn),bt.pixelStorei(O.UNPACK_IMAGE_HEIGHT,ge),bt.pixelStorei(O.UNPACK_SKIP_PIXELS,ns),bt.pixelStorei(O.UNPACK_SKIP_ROWS,hn),bt.pixelStorei(O.UNPACK_SKIP_IMAGES,yr),Et===0&&z.generateMipmaps===!0&&z.mipmapsAutoUpdate===!0&&O.generateMipmap(Ut),bt.unbindTexture()},this.initRenderTarget=function(w){zt.get(w).__webglFramebuffer===void 0&&$t.setupRenderTarget(w)},this.initTexture=function(w){w.isCubeTexture?$t.setTextureCube(w,0):w.isData3DTexture?$t.setTexture3D(w,0):w.isDataArrayTexture||w.isCompressedArrayTexture?$t.setTexture2DArray(w,0):$t.setTexture2D(w,0),bt.unbindTexture()},this.resetState=function(){Y=0,H=0,at=null,bt.reset(),St.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return yi}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=_e._getDrawingBufferColorSpace(t),e.unpackColorSpace=_e._getUnpackColorSpace()}};var wM=1.08;function Bc(i){let t=new U(...i.up),e=new U(...i.front),n=new U().crossVectors(t,e).normalize();return{Overview:new U(...i.view),Front:e,Side:n,Top:t.clone().addScaledVector(e,.001).normalize()}}function _m(i,t,e,n){let s=new U;for(let y of n)s.add(new U(...y).divideScalar(n.length));i.position.copy(s).add(e),i.lookAt(s),i.updateMatrix();let r=new U,o=new U,a=new U;i.matrix.extractBasis(r,o,a);let c=Math.tan(i.fov*Math.PI/360)/wM,l=c*i.aspect,h=(y,m)=>{let g=-1/0,M=-1/0;for(let A of n){let v=new U(...A).sub(s),R=v.dot(y),T=m*v.dot(a);g=Math.max(g,R+T),M=Math.max(M,-R+T)}return[(g+M)/(2*m),(g-M)/2]},[u,f]=h(r,l),[d,p]=h(o,c);t.copy(s).addScaledVector(r,f).addScaledVector(o,p),i.position.copy(t).addScaledVector(a,Math.max(u,d))}function xm(i,t){let e=new U,n=new U,s=new U;t.extractBasis(e,n,s),i.matrix.makeBasis(n.negate(),s,e.negate()).setPosition(new U().setFromMatrixPosition(t)),i.matrix.decompose(i.position,i.quaternion,i.scale),i.updateMatrixWorld(!0)}var vm=[.05,.1,.25,.5,1,2,5,10,50,100],Ju=1e4;function Sm(i){return i>=2&&i<=60?1:vm.reduce((t,e)=>Math.abs(Math.log(i/e/20))<Math.abs(Math.log(i/t/20))?e:t)}function Mm(i,t){let e=i.end-i.start||1,n=_t("button",{class:"round",type:"button",id:"play",onclick:()=>i.play(!i.playing)}),s=_t("input",{type:"range",id:"scrub",min:"0",max:String(Ju),step:"1","aria-label":"Time",oninput:()=>i.seek(i.start+e*s.value/Ju)}),r=_t("div",{class:"ticks"});for(let h of t){let u=_t("button",{type:"button",class:"tick","data-time":String(h.time),tabindex:"-1"});u.title=`${h.label}, ${sn(h.time)} s`,u.style.left=`${100*(h.time-i.start)/e}%`,r.append(u)}let o=_t("output",{id:"time",class:"time"}),a=_t("select",{id:"speed","aria-label":"Speed",onchange:()=>i.set({speed:Number(a.value)})});for(let h of vm)a.append(_t("option",{value:String(h)},`${h}\xD7`));let c=_t("button",{type:"button",class:"square",id:"loop",title:"Repeat","aria-label":"Repeat",onclick:()=>i.set({loop:!i.loop})},Ar("loop")),l=Math.max(0,Math.min(6,3-Math.floor(Math.log10(e))));return i.listen(()=>{n.dataset.playing!==String(i.playing)&&(n.dataset.playing=String(i.playing),n.replaceChildren(Ar(i.playing?"pause":"play")),n.setAttribute("aria-label",i.playing?"Pause":"Play"),n.title=`${i.playing?"Pause":"Play"} (space)`),s.value=String(Math.round(Ju*(i.time-i.start)/e)),s.style.setProperty("--done",`${100*(i.time-i.start)/e}%`),o.textContent=`${i.time.toFixed(l)} / ${i.end.toFixed(l)} s`,a.value=String(i.speed),c.setAttribute("aria-pressed",String(i.loop))}),_t("div",{class:"transport"},n,_t("div",{class:"track"},r,s),o,a,c)}function bm(i,t,e){let{replay:n}=t,s=_t("div",{class:"group",role:"group","aria-label":"Views"});for(let h of Object.keys(Bc(n)))s.append(_t("button",{type:"button",class:"chip","data-view":h,onclick:()=>i.preset(h)},h));let r=t.scenes.filter(h=>h.ghost),o=t.scenes.some(h=>h.arrows.length),a=_t("div",{class:"group",role:"group","aria-label":"Shown"}),c=(h,u,f)=>{let d=_t("button",{type:"button",class:"chip","data-show":h,"aria-pressed":String(f)},u);d.addEventListener("click",()=>{let p=d.getAttribute("aria-pressed")!=="true";d.setAttribute("aria-pressed",String(p)),i.show({[h]:p}),e(h,p)}),a.append(d),i.show({[h]:f})};r.length&&c("ghost",r.length===1?`Ghost: ${r[0].name}`:"Ghosts",!0),o&&c("forces","Forces",!0),t.scenes.some(h=>h.parts.some(u=>u.kind==="link"))&&c("links","Links",!0),t.scenes[0].frames.name.length&&(c("inset","Inset camera",i.rider!==null),c("frames","Frames",!1),c("names","Names",!1)),c("follow","Follow",i.shows.follow);let l=_t("div",{class:"group sliders"});return t.scenes[0].fields&&l.append(EM(i,t.scenes[0].fields)),t.scenes[0].frames.name.length&&l.append(TM(i,t)),t.scenes.some(h=>h.bones.elastic.some(Boolean))&&l.append(ym("magnify","Deflections",0,3,Math.log10(n.magnify),h=>{let u=10**h<9.5?Math.round(10**(h+1))/10:Math.round(10**h);return i.show({factor:u}),`\xD7${u}`})),o&&l.append(ym("arrows","Arrows",-1,1,0,h=>(i.show({arrowScale:10**h}),`\xD7${sn(10**h,2)}`))),_t("div",{class:"options"},s,a,l)}function EM(i,t){let e=_t("select",{id:"field","aria-label":"Field that solids are coloured by"});return t.forEach((n,s)=>e.append(_t("option",{value:String(s)},n.label))),e.append(_t("option",{value:"-1"},"none")),e.addEventListener("change",()=>i.show({field:Number(e.value)})),i.show({field:0}),_t("label",{},_t("span",{},"Colours"),e)}function TM(i,t){let e=_t("select",{id:"camera","aria-label":"Frame of the inset camera"});for(let n of t.scenes[0].frames.name)e.append(_t("option",{value:n},n));return i.rider?e.value=i.rider.name:e.selectedIndex=-1,e.addEventListener("change",()=>{i.show({camera:e.value});let n=document.querySelector('[data-show="inset"]');n.getAttribute("aria-pressed")!=="true"&&n.click()}),_t("label",{},_t("span",{},"Camera on"),e)}function ym(i,t,e,n,s,r){let o=_t("output",{}),a=_t("input",{type:"range",id:i,min:String(e),max:String(n),step:"0.01",value:String(s)});return a.addEventListener("input",()=>o.textContent=r(Number(a.value))),o.textContent=r(s),_t("label",{},_t("span",{},t),a,o)}var AM="uplot",RM="u-hz",CM="u-vt",PM="u-title",IM="u-wrap",LM="u-under",DM="u-over",NM="u-axis",fr="u-off",UM="u-select",FM="u-cursor-x",OM="u-cursor-y",BM="u-cursor-pt",kM="u-legend",zM="u-live",VM="u-inline",GM="u-series",HM="u-marker",wm="u-label",WM="u-value",Ia="width",La="height";var Em="bottom",po="left",Ku="right",mf="#000",Tm=mf+"0",ju="mousemove",Am="mousedown",Qu="mouseup",Rm="mouseenter",Cm="mouseleave",Pm="dblclick",XM="resize",qM="scroll",Im="change",Hc="dppxchange",gf="--",So=typeof window<"u",rf=So?document:null,go=So?window:null,YM=So?navigator:null,Te,kc;function of(){let i=devicePixelRatio;Te!=i&&(Te=i,kc&&lf(Im,kc,of),kc=matchMedia(`(min-resolution: ${Te-.001}dppx) and (max-resolution: ${Te+.001}dppx)`),dr(Im,kc,of),go.dispatchEvent(new CustomEvent(Hc)))}function ui(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function af(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function We(i,t,e){i.style[t]=e+"px"}function Ni(i,t,e,n){let s=rf.createElement(i);return t!=null&&ui(s,t),e?.insertBefore(s,n),s}function bi(i,t){return Ni("div",i,t)}var Lm=new WeakMap;function Qi(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=Lm.get(i);r!=o&&(i.style.transform=r,Lm.set(i,r),t<0||e<0||t>n||e>s?ui(i,fr):af(i,fr))}var Dm=new WeakMap;function Nm(i,t,e){let n=t+e,s=Dm.get(i);n!=s&&(Dm.set(i,n),i.style.background=t,i.style.borderColor=e)}var Um=new WeakMap;function Fm(i,t,e,n){let s=t+""+e,r=Um.get(i);s!=r&&(Um.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var _f={passive:!0},ZM={..._f,capture:!0};function dr(i,t,e,n){t.addEventListener(i,e,n?ZM:_f)}function lf(i,t,e,n){t.removeEventListener(i,e,_f)}So&&of();function Ui(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:fi((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function hg(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}var ug=i=>i!=null,fg=i=>i!=null&&i>0,qc=hg(ug),$M=hg(fg);function JM(i,t,e,n=0,s=!1){let r=s?$M:qc,o=s?fg:ug;[t,e]=r(i,t,e);let a=i[t],c=i[t];if(t>-1)if(n==1)a=i[t],c=i[e];else if(n==-1)a=i[e],c=i[t];else for(let l=t;l<=e;l++){let h=i[l];o(h)&&(h<a?a=h:h>c&&(c=h))}return[a??Fe,c??-Fe]}function Yc(i,t,e,n){let s=km(i),r=km(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?xs:dg,a=s==1?fi:wi,c=r==1?wi:fi,l=a(o(wn(i))),h=c(o(wn(t))),u=_o(e,l),f=_o(e,h);return e==10&&(l<0&&(u=Oe(u,-l)),h<0&&(f=Oe(f,-h))),n||e==2?(i=u*s,t=f*r):(i=_g(i,u),t=Zc(t,f)),[i,t]}function xf(i,t,e,n){let s=Yc(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var yf=.1,Om={mode:3,pad:yf},Na={pad:0,soft:null,mode:0},KM={min:Na,max:Na};function Wc(i,t,e,n){return $c(e)?Bm(i,t,e):(Na.pad=e,Na.soft=n?0:null,Na.mode=n?3:0,Bm(i,t,KM))}function we(i,t){return i??t}function jM(i,t,e){for(t=we(t,0),e=we(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function Bm(i,t,e){let n=e.min,s=e.max,r=we(n.pad,0),o=we(s.pad,0),a=we(n.hard,-Fe),c=we(s.hard,Fe),l=we(n.soft,Fe),h=we(s.soft,-Fe),u=we(n.mode,0),f=we(s.mode,0),d=t-i,p=xs(d),y=Jn(wn(i),wn(t)),m=xs(y),g=wn(m-p);(d<1e-24||g>10)&&(d=0,(i==0||t==0)&&(d=1e-24,u==2&&l!=Fe&&(r=0),f==2&&h!=-Fe&&(o=0)));let M=d||y||1e3,A=xs(M),v=_o(10,fi(A)),R=M*(d==0?i==0?.1:1:r),T=Oe(_g(i-R,v/10),24),x=i>=l&&(u==1||u==3&&T<=l||u==2&&T>=l)?l:Fe,E=Jn(a,T<x&&i>=x?x:Fi(x,T)),B=M*(d==0?t==0?.1:1:o),L=Oe(Zc(t+B,v/10),24),D=t<=h&&(f==1||f==3&&L>=h||f==2&&L<=h)?h:-Fe,k=Fi(c,L>D&&t<=D?D:Jn(D,L));return E==k&&E==0&&(k=100),[E,k]}var QM=new Intl.NumberFormat(So?YM.language:"en-US"),vf=i=>QM.format(i),di=Math,Gc=di.PI,wn=di.abs,fi=di.floor,bn=di.round,wi=di.ceil,Fi=di.min,Jn=di.max,_o=di.pow,km=di.sign,xs=di.log10,dg=di.log2,tb=(i,t=1)=>di.sinh(i)*t,tf=(i,t=1)=>di.asinh(i/t),Fe=1/0;function zm(i){return(xs((i^i>>31)-(i>>31))|0)+1}function cf(i,t,e){return Fi(Jn(i,t),e)}function pg(i){return typeof i=="function"}function xe(i){return pg(i)?i:()=>i}var eb=()=>{},mg=i=>i,gg=(i,t)=>t,nb=i=>null,Vm=i=>!0,Gm=(i,t)=>i==t,ib=/\.\d*?(?=9{6,}|0{6,})/gm,pr=i=>{if(yg(i)||Hs.has(i))return i;let t=`${i}`,e=t.match(ib);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${pr(s)}e${r}`}return Oe(i,n)};function hr(i,t){return pr(Oe(pr(i/t))*t)}function Zc(i,t){return pr(wi(pr(i/t))*t)}function _g(i,t){return pr(fi(pr(i/t))*t)}function Oe(i,t=0){if(yg(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return bn(n)/e}var Hs=new Map;function xg(i){return((""+i).split(".")[1]||"").length}function Fa(i,t,e,n){let s=[],r=n.map(xg);for(let o=t;o<e;o++){let a=wn(o),c=Oe(_o(i,o),a);for(let l=0;l<n.length;l++){let h=i==10?+`${n[l]}e${o}`:n[l]*c,u=(o>=0?0:a)+(o>=r[l]?0:r[l]),f=i==10?h:Oe(h,u);s.push(f),Hs.set(f,u)}}return s}var Ua={},Sf=[],xo=[null,null],Gs=Array.isArray,yg=Number.isInteger,sb=i=>i===void 0;function Hm(i){return typeof i=="string"}function $c(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function rb(i){return i!=null&&typeof i=="object"}var ob=Object.getPrototypeOf(Uint8Array),vg="__proto__";function yo(i,t=$c){let e;if(Gs(i)){let n=i.find(s=>s!=null);if(Gs(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=yo(i[s],t)}else e=i.slice()}else if(i instanceof ob)e=i.slice();else if(t(i)){e={};for(let n in i)n!=vg&&(e[n]=yo(i[n],t))}else e=i;return e}function gn(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=vg&&($c(i[s])?gn(i[s],yo(n[s])):i[s]=yo(n[s]))}return i}var ab=0,lb=1,cb=2;function hb(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function ub(i,t){if(pb(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return mb(o[0])||(o=db(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let c=i[o][0],l=c.length;for(let h=0;h<l;h++)e.add(c[h])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],c=a[0];for(let l=1;l<a.length;l++){let h=a[l],u=Array(s).fill(void 0),f=t?t[o][l]:lb,d=[];for(let p=0;p<h.length;p++){let y=h[p],m=r.get(c[p]);y===null?f!=ab&&(u[m]=y,f==cb&&d.push(m)):u[m]=y}hb(u,d,s),n.push(u)}}return n}var fb=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function db(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let c=0;c<e;c++)a[c]=o[n[c]];s.push(a)}return s}function pb(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function mb(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=Jn(1,fi((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let c=i[a];if(c!=null){if(c<=o)return!1;o=c}}return!0}var Sg=["January","February","March","April","May","June","July","August","September","October","November","December"],Mg=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function bg(i){return i.slice(0,3)}var gb=Mg.map(bg),_b=Sg.map(bg),xb={MMMM:Sg,MMM:_b,WWWW:Mg,WWW:gb};function Pa(i){return(i<10?"0":"")+i}function yb(i){return(i<10?"00":i<100?"0":"")+i}var vb={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>Pa(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Pa(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>Pa(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>Pa(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Pa(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>yb(i.getMilliseconds())};function Mf(i,t){t=t||xb;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?vb[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var Sb=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Mb(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==Sb?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var wg=i=>i%1==0,Xc=[1,2,2.5,5],bb=Fa(10,-32,0,Xc),Eg=Fa(10,0,32,Xc),wb=Eg.filter(wg),ur=bb.concat(Eg),bf=`
`,Tg="{YYYY}",Wm=bf+Tg,Ag="{M}/{D}",Da=bf+Ag,zc=Da+"/{YY}",Rg="{aa}",Eb="{h}:{mm}",mo=Eb+Rg,Xm=bf+mo,qm=":{ss}",Ce=null;function Cg(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,c=(i==1?Fa(10,0,3,Xc).filter(wg):Fa(10,-3,0,Xc)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),l=[[o,Tg,Ce,Ce,Ce,Ce,Ce,Ce,1],[s*28,"{MMM}",Wm,Ce,Ce,Ce,Ce,Ce,1],[s,Ag,Wm,Ce,Ce,Ce,Ce,Ce,1],[n,"{h}"+Rg,zc,Ce,Da,Ce,Ce,Ce,1],[e,mo,zc,Ce,Da,Ce,Ce,Ce,1],[t,qm,zc+" "+mo,Ce,Da+" "+mo,Ce,Xm,Ce,1],[i,qm+".{fff}",zc+" "+mo,Ce,Da+" "+mo,Ce,Xm,Ce,1]];function h(u){return(f,d,p,y,m,g)=>{let M=[],A=m>=o,v=m>=r&&m<o,R=u(p),T=Oe(R*i,3),x=ef(R.getFullYear(),A?0:R.getMonth(),v||A?1:R.getDate()),E=Oe(x*i,3);if(v||A){let B=v?m/r:0,L=A?m/o:0,D=T==E?T:Oe(ef(x.getFullYear()+L,x.getMonth()+B,1)*i,3),k=new Date(bn(D/i)),V=k.getFullYear(),I=k.getMonth();for(let G=0;D<=y;G++){let Y=ef(V+L*G,I+B*G,1),H=Y-u(Oe(Y*i,3));D=Oe((+Y+H)*i,3),D<=y&&M.push(D)}}else{let B=m>=s?s:m,L=fi(p)-fi(T),D=E+L+Zc(T-E,B);M.push(D);let k=u(D),V=k.getHours()+k.getMinutes()/e+k.getSeconds()/n,I=m/n,G=f.axes[d]._space,Y=g/G;for(;D=Oe(D+m,i==1?0:3),!(D>y);)if(I>1){let H=fi(Oe(V+I,6))%24,j=u(D).getHours()-H;j>1&&(j=-1),D-=j*n,V=(V+I)%24;let nt=M[M.length-1];Oe((D-nt)/m,3)*Y>=.7&&M.push(D)}else M.push(D)}return M}}return[c,l,h]}var[Tb,Ab,Rb]=Cg(1),[Cb,Pb,Ib]=Cg(.001);Fa(2,-53,53,[1]);function Ym(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function Zm(i,t){return(e,n,s,r,o)=>{let a=t.find(p=>o>=p[0])||t[t.length-1],c,l,h,u,f,d;return n.map(p=>{let y=i(p),m=y.getFullYear(),g=y.getMonth(),M=y.getDate(),A=y.getHours(),v=y.getMinutes(),R=y.getSeconds(),T=m!=c&&a[2]||g!=l&&a[3]||M!=h&&a[4]||A!=u&&a[5]||v!=f&&a[6]||R!=d&&a[7]||a[1];return c=m,l=g,h=M,u=A,f=v,d=R,T(y)})}}function Lb(i,t){let e=Mf(t);return(n,s,r,o,a)=>s.map(c=>e(i(c)))}function ef(i,t,e){return new Date(i,t,e)}function $m(i,t){return t(i)}var Db="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Jm(i,t){return(e,n,s,r)=>r==null?gf:t(i(n))}function Nb(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function Ub(i,t){return i.series[t].fill(i,t)}var Fb={show:!0,live:!0,isolate:!1,mount:eb,markers:{show:!0,width:2,stroke:Nb,fill:Ub,dash:"solid"},idx:null,idxs:null,values:[]};function Ob(i,t){let e=i.cursor.points,n=bi(),s=e.size(i,t);We(n,Ia,s),We(n,La,s);let r=s/-2;We(n,"marginLeft",r),We(n,"marginTop",r);let o=e.width(i,t,s);return o&&We(n,"borderWidth",o),n}function Bb(i,t){let e=i.series[t].points;return e._fill||e._stroke}function kb(i,t){let e=i.series[t].points;return e._stroke||e._fill}function zb(i,t){return i.series[t].points.size}var nf=[0,0];function Vb(i,t,e){return nf[0]=t,nf[1]=e,nf}function Vc(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function sf(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var Gb={show:!0,x:!0,y:!0,lock:!1,move:Vb,points:{one:!1,show:Ob,size:zb,width:0,stroke:kb,fill:Bb},bind:{mousedown:Vc,mouseup:Vc,click:Vc,dblclick:Vc,mousemove:sf,mouseleave:sf,mouseenter:sf},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Pg={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},wf=gn({},Pg,{filter:gg}),Ig=gn({},wf,{size:10}),Lg=gn({},Pg,{show:!1}),Ef='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Dg="bold "+Ef,Ng=1.5,Km={show:!0,scale:"x",stroke:mf,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Dg,side:2,grid:wf,ticks:Ig,border:Lg,font:Ef,lineGap:Ng,rotate:0},Hb="Value",Wb="Time",jm={show:!0,scale:"x",auto:!1,sorted:1,min:Fe,max:-Fe,idxs:[]};function Xb(i,t,e,n,s){return t.map(r=>r==null?"":vf(r))}function qb(i,t,e,n,s,r,o){let a=[],c=Hs.get(s)||0;e=o?e:Oe(Zc(e,s),c);for(let l=e;l<=n;l=Oe(l+s,c))a.push(Object.is(l,-0)?0:l);return a}function hf(i,t,e,n,s,r,o){let a=[],c=i.scales[i.axes[t].scale].log,l=c==10?xs:dg,h=fi(l(e));s=_o(c,h),c==10&&(s=ur[Ui(s,ur)]);let u=e,f=s*c;c==10&&(f=ur[Ui(f,ur)]);do a.push(u),u=u+s,c==10&&!Hs.has(u)&&(u=Oe(u,Hs.get(s))),u>=f&&(s=u,f=s*c,c==10&&(f=ur[Ui(f,ur)]));while(u<=n);return a}function Yb(i,t,e,n,s,r,o){let c=i.scales[i.axes[t].scale].asinh,l=n>c?hf(i,t,Jn(c,e),n,s):[c],h=n>=0&&e<=0?[0]:[];return(e<-c?hf(i,t,Jn(c,-n),-e,s):[c]).reverse().map(f=>-f).concat(h,l)}var Ug=/./,Zb=/[12357]/,$b=/[125]/,Qm=/1/,uf=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function Jb(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],c=i.valToPos,l=r._space,h=c(10,o),u=c(9,o)-h>=l?Ug:c(7,o)-h>=l?Zb:c(5,o)-h>=l?$b:Qm;if(u==Qm){let f=wn(c(1,o)-h);if(f<l)return uf(t.slice().reverse(),a.distr,u,wi(l/f)).reverse()}return uf(t,a.distr,u,1)}function Kb(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,c=i.valToPos,l=wn(c(1,o)-c(2,o));return l<a?uf(t.slice().reverse(),3,Ug,wi(a/l)).reverse():t}function jb(i,t,e,n){return n==null?gf:t==null?"":vf(t)}var tg={show:!0,scale:"y",stroke:mf,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Dg,side:3,grid:wf,ticks:Ig,border:Lg,font:Ef,lineGap:Ng,rotate:0};function Qb(i,t){let e=3+(i||1)*2;return Oe(e*t,3)}function tw(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=wn(o-r),c=i.series[t],l=a/(c.points.space*Te);return n[1]-n[0]<=l}var eg={scale:null,auto:!0,sorted:0,min:Fe,max:-Fe},Fg=(i,t,e,n,s)=>s,ng={show:!0,auto:!0,sorted:0,gaps:Fg,alpha:1,facets:[gn({},eg,{scale:"x"}),gn({},eg,{scale:"y"})]},ig={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Fg,alpha:1,points:{show:tw,filter:null},values:null,min:Fe,max:-Fe,idxs:[],path:null,clip:null};function ew(i,t,e,n,s){return e/10}var Og={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},nw=gn({},Og,{time:!1,ori:1}),sg={};function Bg(i,t){let e=sg[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,c,l){for(let h=0;h<e.plots.length;h++)e.plots[h]!=s&&e.plots[h].pub(n,s,r,o,a,c,l)}},i!=null&&(sg[i]=e)),e}var vo=1,ff=2;function mr(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,c=r[0],l=n==2?r[1]:r[t],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],u=n==2?o[s.facets[1].scale]:o[s.scale],f=a.left,d=a.top,p=a.width,y=a.height,m=i.valToPosH,g=i.valToPosV;return h.ori==0?e(s,c,l,h,u,m,g,f,d,p,y,Kc,Mo,Qc,zg,Gg):e(s,c,l,h,u,g,m,d,f,y,p,jc,bo,Rf,Vg,Hg)}function Tf(i,t){let e=0,n=0,s=we(i.bands,Sf);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function iw(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,c=i.scales[a];return s==-1?c.min:s==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function ys(i,t,e,n,s,r){return mr(i,t,(o,a,c,l,h,u,f,d,p,y,m)=>{let g=o.pxRound,M=l.dir*(l.ori==0?1:-1),A=l.ori==0?Mo:bo,v,R;M==1?(v=e,R=n):(v=n,R=e);let T=g(u(a[v],l,y,d)),x=g(f(c[v],h,m,p)),E=g(u(a[R],l,y,d)),B=g(f(r==1?h.max:h.min,h,m,p)),L=new Path2D(s);return A(L,E,B),A(L,T,B),A(L,T,x),L})}function Jc(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?Qc:Rf,c=e;for(let u=0;u<i.length;u++){let f=i[u];if(f[1]>f[0]){let d=f[0]-c;d>0&&a(o,c,n,d,n+r),c=f[1]}}let l=e+s-c,h=10;l>0&&a(o,c,n-h/2,l,n+r+h)}return o}function sw(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function Af(i,t,e,n,s,r,o){let a=[],c=i.length;for(let l=s==1?e:n;l>=e&&l<=n;l+=s)if(t[l]===null){let u=l,f=l;if(s==1)for(;++l<=n&&t[l]===null;)f=l;else for(;--l>=e&&t[l]===null;)f=l;let d=r(i[u]),p=f==u?d:r(i[f]),y=u-s;d=o<=0&&y>=0&&y<c?r(i[y]):d;let g=f+s;p=o>=0&&g>=0&&g<c?r(i[g]):p,p>=d&&a.push([d,p])}return a}function rg(i){return i==0?mg:i==1?bn:t=>hr(t,i)}function kg(i){let t=i==0?Kc:jc,e=i==0?(s,r,o,a,c,l)=>{s.arcTo(r,o,a,c,l)}:(s,r,o,a,c,l)=>{s.arcTo(o,r,c,a,l)},n=i==0?(s,r,o,a,c)=>{s.rect(r,o,a,c)}:(s,r,o,a,c)=>{s.rect(o,r,c,a)};return(s,r,o,a,c,l=0,h=0)=>{l==0&&h==0?n(s,r,o,a,c):(l=Fi(l,a/2,c/2),h=Fi(h,a/2,c/2),t(s,r+l,o),e(s,r+a,o,r+a,o+c,l),e(s,r+a,o+c,r,o+c,h),e(s,r,o+c,r,o,h),e(s,r,o,r+a,o,l),s.closePath())}}var Kc=(i,t,e)=>{i.moveTo(t,e)},jc=(i,t,e)=>{i.moveTo(e,t)},Mo=(i,t,e)=>{i.lineTo(t,e)},bo=(i,t,e)=>{i.lineTo(e,t)},Qc=kg(0),Rf=kg(1),zg=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},Vg=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},Gg=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},Hg=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function Wg(i){return(t,e,n,s,r)=>mr(t,e,(o,a,c,l,h,u,f,d,p,y,m)=>{let{pxRound:g,points:M}=o,A,v;l.ori==0?(A=Kc,v=zg):(A=jc,v=Vg);let R=Oe(M.width*Te,3),T=(M.size-M.width)/2*Te,x=Oe(T*2,3),E=new Path2D,B=new Path2D,{left:L,top:D,width:k,height:V}=t.bbox;Qc(B,L-x,D-x,k+x*2,V+x*2);let I=G=>{if(c[G]!=null){let Y=g(u(a[G],l,y,d)),H=g(f(c[G],h,m,p));A(E,Y+T,H),v(E,Y,H,T,0,Gc*2)}};if(r)r.forEach(I);else for(let G=n;G<=s;G++)I(G);return{stroke:R>0?E:null,fill:E,clip:B,flags:vo|ff}})}function Xg(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var rw=Xg(Mo),ow=Xg(bo);function qg(i){let t=we(i?.alignGaps,0);return(e,n,s,r)=>mr(e,n,(o,a,c,l,h,u,f,d,p,y,m)=>{[s,r]=qc(c,s,r);let g=o.pxRound,M=V=>g(u(V,l,y,d)),A=V=>g(f(V,h,m,p)),v,R;l.ori==0?(v=Mo,R=rw):(v=bo,R=ow);let T=l.dir*(l.ori==0?1:-1),x={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:vo},E=x.stroke,B=!1;if(r-s>=y*4){let V=ht=>e.posToVal(ht,l.key,!0),I=null,G=null,Y,H,at,$=M(a[T==1?s:r]),j=M(a[s]),nt=M(a[r]),ut=V(T==1?j+1:nt-1);for(let ht=T==1?s:r;ht>=s&&ht<=r;ht+=T){let Q=a[ht],xt=(T==1?Q<ut:Q>ut)?$:M(Q),At=c[ht];xt==$?At!=null?(H=At,I==null?(v(E,xt,A(H)),Y=I=G=H):H<I?I=H:H>G&&(G=H)):At===null&&(B=!0):(I!=null&&R(E,$,A(I),A(G),A(Y),A(H)),At!=null?(H=At,v(E,xt,A(H)),I=G=Y=H):(I=G=null,At===null&&(B=!0)),$=xt,ut=V($+T))}I!=null&&I!=G&&at!=$&&R(E,$,A(I),A(G),A(Y),A(H))}else for(let V=T==1?s:r;V>=s&&V<=r;V+=T){let I=c[V];I===null?B=!0:I!=null&&v(E,M(a[V]),A(I))}let[D,k]=Tf(e,n);if(o.fill!=null||D!=0){let V=x.fill=new Path2D(E),I=o.fillTo(e,n,o.min,o.max,D),G=A(I),Y=M(a[s]),H=M(a[r]);T==-1&&([H,Y]=[Y,H]),v(V,H,G),v(V,Y,G)}if(!o.spanGaps){let V=[];B&&V.push(...Af(a,c,s,r,T,M,t)),x.gaps=V=o.gaps(e,n,s,r,V),x.clip=Jc(V,l.ori,d,p,y,m)}return k!=0&&(x.band=k==2?[ys(e,n,s,r,E,-1),ys(e,n,s,r,E,1)]:ys(e,n,s,r,E,k)),x})}function aw(i){let t=we(i.align,1),e=we(i.ascDesc,!1),n=we(i.alignGaps,0),s=we(i.extend,!1);return(r,o,a,c)=>mr(r,o,(l,h,u,f,d,p,y,m,g,M,A)=>{[a,c]=qc(u,a,c);let v=l.pxRound,{left:R,width:T}=r.bbox,x=j=>v(p(j,f,M,m)),E=j=>v(y(j,d,A,g)),B=f.ori==0?Mo:bo,L={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:vo},D=L.stroke,k=f.dir*(f.ori==0?1:-1),V=E(u[k==1?a:c]),I=x(h[k==1?a:c]),G=I,Y=I;s&&t==-1&&(Y=R,B(D,Y,V)),B(D,I,V);for(let j=k==1?a:c;j>=a&&j<=c;j+=k){let nt=u[j];if(nt==null)continue;let ut=x(h[j]),ht=E(nt);t==1?B(D,ut,V):B(D,G,ht),B(D,ut,ht),V=ht,G=ut}let H=G;s&&t==1&&(H=R+T,B(D,H,V));let[at,$]=Tf(r,o);if(l.fill!=null||at!=0){let j=L.fill=new Path2D(D),nt=l.fillTo(r,o,l.min,l.max,at),ut=E(nt);B(j,H,ut),B(j,Y,ut)}if(!l.spanGaps){let j=[];j.push(...Af(h,u,a,c,k,x,n));let nt=l.width*Te/2,ut=e||t==1?nt:-nt,ht=e||t==-1?-nt:nt;j.forEach(Q=>{Q[0]+=ut,Q[1]+=ht}),L.gaps=j=l.gaps(r,o,a,c,j),L.clip=Jc(j,f.ori,m,g,M,A)}return $!=0&&(L.band=$==2?[ys(r,o,a,c,D,-1),ys(r,o,a,c,D,1)]:ys(r,o,a,c,D,$)),L})}function og(i,t,e,n,s,r,o=Fe){if(i.length>1){let a=null;for(let c=0,l=1/0;c<i.length;c++)if(t[c]!==void 0){if(a!=null){let h=wn(i[c]-i[a]);h<l&&(l=h,o=wn(e(i[c],n,s,r)-e(i[a],n,s,r)))}a=c}}return o}function lw(i){i=i||Ua;let t=we(i.size,[.6,Fe,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=xe(s),o=1-t[0],a=we(t[1],Fe),c=we(t[2],1),l=we(i.disp,Ua),h=we(i.each,d=>{}),{fill:u,stroke:f}=l;return(d,p,y,m)=>mr(d,p,(g,M,A,v,R,T,x,E,B,L,D)=>{let k=g.pxRound,V=e,I=n*Te,G=a*Te,Y=c*Te,H,at;v.ori==0?[H,at]=r(d,p):[at,H]=r(d,p);let $=v.dir*(v.ori==0?1:-1),j=v.ori==0?Qc:Rf,nt=v.ori==0?h:(Ct,Jt,oe,bt,Ue,zt,$t)=>{h(Ct,Jt,oe,Ue,bt,$t,zt)},ut=we(d.bands,Sf).find(Ct=>Ct.series[0]==p),ht=ut!=null?ut.dir:0,Q=g.fillTo(d,p,g.min,g.max,ht),pt=k(x(Q,R,D,B)),xt,At,Mt,Ht=L,re=k(g.width*Te),Vt=!1,ue=null,le=null,ie=null,Xe=null;u!=null&&(re==0||f!=null)&&(Vt=!0,ue=u.values(d,p,y,m),le=new Map,new Set(ue).forEach(Ct=>{Ct!=null&&le.set(Ct,new Path2D)}),re>0&&(ie=f.values(d,p,y,m),Xe=new Map,new Set(ie).forEach(Ct=>{Ct!=null&&Xe.set(Ct,new Path2D)})));let{x0:Be,size:an}=l;if(Be!=null&&an!=null){V=1,M=Be.values(d,p,y,m),Be.unit==2&&(M=M.map(oe=>d.posToVal(E+oe*L,v.key,!0)));let Ct=an.values(d,p,y,m);an.unit==2?At=Ct[0]*L:At=T(Ct[0],v,L,E)-T(0,v,L,E),Ht=og(M,A,T,v,L,E,Ht),Mt=Ht-At+I}else Ht=og(M,A,T,v,L,E,Ht),Mt=Ht*o+I,At=Ht-Mt;Mt<1&&(Mt=0),re>=At/2&&(re=0),Mt<5&&(k=mg);let De=Mt>0,Tn=Ht-Mt-(De?re:0);At=k(cf(Tn,Y,G)),xt=(V==0?At/2:V==$?0:At)-V*$*((V==0?I/2:0)+(De?re/2:0));let ye={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},_n=Vt?null:new Path2D,$e=null;if(ut!=null)$e=d.data[ut.series[1]];else{let{y0:Ct,y1:Jt}=l;Ct!=null&&Jt!=null&&(A=Jt.values(d,p,y,m),$e=Ct.values(d,p,y,m))}let ln=H*At,O=at*At;for(let Ct=$==1?y:m;Ct>=y&&Ct<=m;Ct+=$){let Jt=A[Ct];if(Jt==null)continue;if($e!=null){let X=$e[Ct]??0;if(Jt-X==0)continue;pt=x(X,R,D,B)}let oe=v.distr!=2||l!=null?M[Ct]:Ct,bt=T(oe,v,L,E),Ue=x(we(Jt,Q),R,D,B),zt=k(bt-xt),$t=k(Jn(Ue,pt)),C=k(Fi(Ue,pt)),S=$t-C;if(Jt!=null){let X=Jt<0?O:ln,ct=Jt<0?ln:O;Vt?(re>0&&ie[Ct]!=null&&j(Xe.get(ie[Ct]),zt,C+fi(re/2),At,Jn(0,S-re),X,ct),ue[Ct]!=null&&j(le.get(ue[Ct]),zt,C+fi(re/2),At,Jn(0,S-re),X,ct)):j(_n,zt,C+fi(re/2),At,Jn(0,S-re),X,ct),nt(d,p,Ct,zt-re/2,C,At+re,S)}}return re>0?ye.stroke=Vt?Xe:_n:Vt||(ye._fill=g.width==0?g._fill:g._stroke??g._fill,ye.width=0),ye.fill=Vt?le:_n,ye})}function cw(i,t){let e=we(t?.alignGaps,0);return(n,s,r,o)=>mr(n,s,(a,c,l,h,u,f,d,p,y,m,g)=>{[r,o]=qc(l,r,o);let M=a.pxRound,A=H=>M(f(H,h,m,p)),v=H=>M(d(H,u,g,y)),R,T,x;h.ori==0?(R=Kc,x=Mo,T=Gg):(R=jc,x=bo,T=Hg);let E=h.dir*(h.ori==0?1:-1),B=A(c[E==1?r:o]),L=B,D=[],k=[];for(let H=E==1?r:o;H>=r&&H<=o;H+=E)if(l[H]!=null){let $=c[H],j=A($);D.push(L=j),k.push(v(l[H]))}let V={stroke:i(D,k,R,x,T,M),fill:null,clip:null,band:null,gaps:null,flags:vo},I=V.stroke,[G,Y]=Tf(n,s);if(a.fill!=null||G!=0){let H=V.fill=new Path2D(I),at=a.fillTo(n,s,a.min,a.max,G),$=v(at);x(H,L,$),x(H,B,$)}if(!a.spanGaps){let H=[];H.push(...Af(c,l,r,o,E,A,e)),V.gaps=H=a.gaps(n,s,r,o,H),V.clip=Jc(H,h.ori,p,y,m,g)}return Y!=0&&(V.band=Y==2?[ys(n,s,r,o,I,-1),ys(n,s,r,o,I,1)]:ys(n,s,r,o,I,Y)),V})}function hw(i){return cw(uw,i)}function uw(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let c=Array(o),l=Array(o-1),h=Array(o-1),u=Array(o-1);for(let f=0;f<o-1;f++)h[f]=t[f+1]-t[f],u[f]=i[f+1]-i[f],l[f]=h[f]/u[f];c[0]=l[0];for(let f=1;f<o-1;f++)l[f]===0||l[f-1]===0||l[f-1]>0!=l[f]>0?c[f]=0:(c[f]=3*(u[f-1]+u[f])/((2*u[f]+u[f-1])/l[f-1]+(u[f]+2*u[f-1])/l[f]),isFinite(c[f])||(c[f]=0));c[o-1]=l[o-2];for(let f=0;f<o-1;f++)s(a,i[f]+u[f]/3,t[f]+c[f]*u[f]/3,i[f+1]-u[f]/3,t[f+1]-c[f+1]*u[f]/3,i[f+1],t[f+1])}return a}var df=new Set;function ag(){for(let i of df)i.syncRect(!0)}So&&(dr(XM,go,ag),dr(qM,go,ag,!0),dr(Hc,go,()=>{Dn.pxRatio=Te}));var fw=qg(),dw=Wg();function lg(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>pf(r,o,t,e))}function pw(i,t){return i.map((e,n)=>n==0?{}:gn({},t,e))}function pf(i,t,e,n){return gn({},t==0?e:n,i)}function Yg(i,t,e){return t==null?xo:[t,e]}var mw=Yg;function gw(i,t,e){return t==null?xo:Wc(t,e,yf,!0)}function Zg(i,t,e,n){return t==null?xo:Yc(t,e,i.scales[n].log,!1)}var _w=Zg;function $g(i,t,e,n){return t==null?xo:xf(t,e,i.scales[n].log,!1)}var xw=$g;function yw(i,t,e,n,s){let r=Jn(zm(i),zm(t)),o=t-i,a=Ui(s/n*o,e);do{let c=e[a],l=n*c/o;if(l>=s&&r+(c<5?Hs.get(c):0)<=17)return[c,l]}while(++a<e.length);return[0,0]}function cg(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=bn((e=+s)*Te))+"px"),[i,t,e]}function vw(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Oe(t[2]*Te,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function Dn(i,t,e){let n={mode:we(i.mode,1)},s=n.mode;function r(_,b,P,N){let W=b.valToPct(_);return N+P*(b.dir==-1?1-W:W)}function o(_,b,P,N){let W=b.valToPct(_);return N+P*(b.dir==-1?W:1-W)}function a(_,b,P,N){return b.ori==0?r(_,b,P,N):o(_,b,P,N)}n.valToPosH=r,n.valToPosV=o;let c=!1;n.status=0;let l=n.root=bi(AM);if(i.id!=null&&(l.id=i.id),ui(l,i.class),i.title){let _=bi(PM,l);_.textContent=i.title}let h=Ni("canvas"),u=n.ctx=h.getContext("2d"),f=bi(IM,l);dr("click",f,_=>{_.target===p&&(ze!=Mr||qe!=br)&&Nn.click(n,_)},!0);let d=n.under=bi(LM,f);f.appendChild(h);let p=n.over=bi(DM,f);i=yo(i);let y=+we(i.pxAlign,1),m=rg(y);(i.plugins||[]).forEach(_=>{_.opts&&(i=_.opts(n,i)||i)});let g=i.ms||.001,M=n.series=s==1?lg(i.series||[],jm,ig,!1):pw(i.series||[null],ng),A=n.axes=lg(i.axes||[],Km,tg,!0),v=n.scales={},R=n.bands=i.bands||[];R.forEach(_=>{_.fill=xe(_.fill||null),_.dir=we(_.dir,-1)});let T=s==2?M[1].facets[0].scale:M[0].scale,x={axes:is,series:de},E=(i.drawOrder||["axes","series"]).map(_=>x[_]);function B(_){let b=_.distr==3?P=>xs(P>0?P:_.clamp(n,P,_.min,_.max,_.key)):_.distr==4?P=>tf(P,_.asinh):_.distr==100?P=>_.fwd(P):P=>P;return P=>{let N=b(P),{_min:W,_max:J}=_,ot=J-W;return(N-W)/ot}}function L(_){let b=v[_];if(b==null){let P=(i.scales||Ua)[_]||Ua;if(P.from!=null){L(P.from);let N=gn({},v[P.from],P,{key:_});N.valToPct=B(N),v[_]=N}else{b=v[_]=gn({},_==T?Og:nw,P),b.key=_;let N=b.time,W=b.range,J=Gs(W);if((_!=T||s==2&&!N)&&(J&&(W[0]==null||W[1]==null)&&(W={min:W[0]==null?Om:{mode:1,hard:W[0],soft:W[0]},max:W[1]==null?Om:{mode:1,hard:W[1],soft:W[1]}},J=!1),!J&&$c(W))){let ot=W;W=(ft,vt,Dt)=>vt==null?xo:Wc(vt,Dt,ot)}b.range=xe(W||(N?mw:_==T?b.distr==3?_w:b.distr==4?xw:Yg:b.distr==3?Zg:b.distr==4?$g:gw)),b.auto=xe(J?!1:b.auto),b.clamp=xe(b.clamp||ew),b._min=b._max=null,b.valToPct=B(b)}}}L("x"),L("y"),s==1&&M.forEach(_=>{L(_.scale)}),A.forEach(_=>{L(_.scale)});for(let _ in i.scales)L(_);let D=v[T],k=D.distr,V,I;D.ori==0?(ui(l,RM),V=r,I=o):(ui(l,CM),V=o,I=r);let G={};for(let _ in v){let b=v[_];(b.min!=null||b.max!=null)&&(G[_]={min:b.min,max:b.max},b.min=b.max=null)}let Y=i.tzDate||(_=>new Date(bn(_/g))),H=i.fmtDate||Mf,at=g==1?Rb(Y):Ib(Y),$=Zm(Y,Ym(g==1?Ab:Pb,H)),j=Jm(Y,$m(Db,H)),nt=[],ut=n.legend=gn({},Fb,i.legend),ht=n.cursor=gn({},Gb,{drag:{y:s==2}},i.cursor),Q=ut.show,pt=ht.show,xt=ut.markers;ut.idxs=nt,xt.width=xe(xt.width),xt.dash=xe(xt.dash),xt.stroke=xe(xt.stroke),xt.fill=xe(xt.fill);let At,Mt,Ht,re=[],Vt=[],ue,le=!1,ie={};if(ut.live){let _=M[1]?M[1].values:null;le=_!=null,ue=le?_(n,1,0):{_:0};for(let b in ue)ie[b]=gf}if(Q)if(At=Ni("table",kM,l),Ht=Ni("tbody",null,At),ut.mount(n,At),le){Mt=Ni("thead",null,At,Ht);let _=Ni("tr",null,Mt);Ni("th",null,_);for(var Xe in ue)Ni("th",wm,_).textContent=Xe}else ui(At,VM),ut.live&&ui(At,zM);let Be={show:!0},an={show:!1};function De(_,b){if(b==0&&(le||!ut.live||s==2))return xo;let P=[],N=Ni("tr",GM,Ht,Ht.childNodes[b]);ui(N,_.class),_.show||ui(N,fr);let W=Ni("th",null,N);if(xt.show){let ft=bi(HM,W);if(b>0){let vt=xt.width(n,b);vt&&(ft.style.border=vt+"px "+xt.dash(n,b)+" "+xt.stroke(n,b)),ft.style.background=xt.fill(n,b)}}let J=bi(wm,W);_.label instanceof HTMLElement?J.appendChild(_.label):J.textContent=_.label,b>0&&(xt.show||(J.style.color=_.width>0?xt.stroke(n,b):xt.fill(n,b)),ye("click",W,ft=>{if(ht._lock)return;jt(ft);let vt=M.indexOf(_);if((ft.ctrlKey||ft.metaKey)!=ut.isolate){let Dt=M.some((Nt,Ft)=>Ft>0&&Ft!=vt&&Nt.show);M.forEach((Nt,Ft)=>{Ft>0&&Vi(Ft,Dt?Ft==vt?Be:an:Be,!0,fn.setSeries)})}else Vi(vt,{show:!_.show},!0,fn.setSeries)},!1),Qt&&ye(Rm,W,ft=>{ht._lock||(jt(ft),Vi(M.indexOf(_),Er,!0,fn.setSeries))},!1));for(var ot in ue){let ft=Ni("td",WM,N);ft.textContent="--",P.push(ft)}return[N,P]}let Tn=new Map;function ye(_,b,P,N=!0){let W=Tn.get(b)||{},J=ht.bind[_](n,b,P,N);J&&(dr(_,b,W[_]=J),Tn.set(b,W))}function _n(_,b,P){let N=Tn.get(b)||{};for(let W in N)(_==null||W==_)&&(lf(W,b,N[W]),delete N[W]);_==null&&Tn.delete(b)}let $e=0,ln=0,O=0,Ct=0,Jt=0,oe=0,bt=Jt,Ue=oe,zt=O,$t=Ct,C=0,S=0,X=0,ct=0;n.bbox={};let rt=!1,gt=!1,yt=!1,tt=!1,it=!1,dt=!1;function F(_,b,P){(P||_!=n.width||b!=n.height)&&st(_,b),ce(!1),yt=!0,gt=!0,kn()}function st(_,b){n.width=$e=O=_,n.height=ln=Ct=b,Jt=oe=0,St(),Gt();let P=n.bbox;C=P.left=hr(Jt*Te,.5),S=P.top=hr(oe*Te,.5),X=P.width=hr(O*Te,.5),ct=P.height=hr(Ct*Te,.5)}let et=3;function wt(){let _=!1,b=0;for(;!_;){b++;let P=yr(b),N=zi(b);_=b==et||P&&N,_||(st(n.width,n.height),gt=!0)}}function mt({width:_,height:b}){F(_,b)}n.setSize=mt;function St(){let _=!1,b=!1,P=!1,N=!1;A.forEach((W,J)=>{if(W.show&&W._show){let{side:ot,_size:ft}=W,vt=ot%2,Dt=W.label!=null?W.labelSize:0,Nt=ft+Dt;Nt>0&&(vt?(O-=Nt,ot==3?(Jt+=Nt,N=!0):P=!0):(Ct-=Nt,ot==0?(oe+=Nt,_=!0):b=!0))}}),Bi[0]=_,Bi[1]=P,Bi[2]=b,Bi[3]=N,O-=Ei[1]+Ei[3],Jt+=Ei[3],Ct-=Ei[2]+Ei[0],oe+=Ei[0]}function Gt(){let _=Jt+O,b=oe+Ct,P=Jt,N=oe;function W(J,ot){switch(J){case 1:return _+=ot,_-ot;case 2:return b+=ot,b-ot;case 3:return P-=ot,P+ot;case 0:return N-=ot,N+ot}}A.forEach((J,ot)=>{if(J.show&&J._show){let ft=J.side;J._pos=W(ft,J._size),J.label!=null&&(J._lpos=W(ft,J.labelSize))}})}if(ht.dataIdx==null){let _=ht.hover,b=_.skip=new Set(_.skip??[]);b.add(void 0);let P=_.prox=xe(_.prox),N=_.bias??=0;ht.dataIdx=(W,J,ot,ft)=>{if(J==0)return ot;let vt=ot,Dt=P(W,J,ot,ft)??Fe,Nt=Dt>=0&&Dt<Fe,Ft=D.ori==0?O:Ct,se=ht.left,Ee=t[0],be=t[J];if(b.has(be[ot])){vt=null;let me=null,Kt=null,Wt;if(N==0||N==-1)for(Wt=ot;me==null&&Wt-- >0;)b.has(be[Wt])||(me=Wt);if(N==0||N==1)for(Wt=ot;Kt==null&&Wt++<be.length;)b.has(be[Wt])||(Kt=Wt);if(me!=null||Kt!=null)if(Nt){let Ge=me==null?-1/0:V(Ee[me],D,Ft,0),je=Kt==null?1/0:V(Ee[Kt],D,Ft,0),Pn=se-Ge,Ne=je-se;Pn<=Ne?Pn<=Dt&&(vt=me):Ne<=Dt&&(vt=Kt)}else vt=Kt==null?me:me==null?Kt:ot-me<=Kt-ot?me:Kt}else Nt&&wn(se-V(Ee[ot],D,Ft,0))>Dt&&(vt=null);return vt}}let jt=_=>{ht.event=_};ht.idxs=nt,ht._lock=!1;let lt=ht.points;lt.show=xe(lt.show),lt.size=xe(lt.size),lt.stroke=xe(lt.stroke),lt.width=xe(lt.width),lt.fill=xe(lt.fill);let Ot=n.focus=gn({},i.focus||{alpha:.3},ht.focus),Qt=Ot.prox>=0,Rt=Qt&&lt.one,ae=[],ke=[],Wn=[];function To(_,b){let P=lt.show(n,b);if(P instanceof HTMLElement)return ui(P,BM),ui(P,_.class),Qi(P,-10,-10,O,Ct),p.insertBefore(P,ae[b]),P}function gr(_,b){if(s==1||b>0){let P=s==1&&v[_.scale].time,N=_.value;_.value=P?Hm(N)?Jm(Y,$m(N,H)):N||j:N||jb,_.label=_.label||(P?Wb:Hb)}if(Rt||b>0){_.width=_.width==null?1:_.width,_.paths=_.paths||fw||nb,_.fillTo=xe(_.fillTo||iw),_.pxAlign=+we(_.pxAlign,y),_.pxRound=rg(_.pxAlign),_.stroke=xe(_.stroke||null),_.fill=xe(_.fill||null),_._stroke=_._fill=_._paths=_._focus=null;let P=Qb(Jn(1,_.width),1),N=_.points=gn({},{size:P,width:Jn(1,P*.2),stroke:_.stroke,space:P*2,paths:dw,_stroke:null,_fill:null},_.points);N.show=xe(N.show),N.filter=xe(N.filter),N.fill=xe(N.fill),N.stroke=xe(N.stroke),N.paths=xe(N.paths),N.pxAlign=_.pxAlign}if(Q){let P=De(_,b);re.splice(b,0,P[0]),Vt.splice(b,0,P[1]),ut.values.push(null)}if(pt){nt.splice(b,0,null);let P=null;Rt?b==0&&(P=To(_,b)):b>0&&(P=To(_,b)),ae.splice(b,0,P),ke.splice(b,0,0),Wn.splice(b,0,0)}Cn("addSeries",b)}function xh(_,b){b=b??M.length,_=s==1?pf(_,b,jm,ig):pf(_,b,{},ng),M.splice(b,0,_),gr(M[b],b)}n.addSeries=xh;function za(_){if(M.splice(_,1),Q){ut.values.splice(_,1),Vt.splice(_,1);let b=re.splice(_,1)[0];_n(null,b.firstChild),b.remove()}pt&&(nt.splice(_,1),ae.splice(_,1)[0].remove(),ke.splice(_,1),Wn.splice(_,1)),Cn("delSeries",_)}n.delSeries=za;let Bi=[!1,!1,!1,!1];function ts(_,b){if(_._show=_.show,_.show){let P=_.side%2,N=v[_.scale];N==null&&(_.scale=P?M[1].scale:T,N=v[_.scale]);let W=N.time;_.size=xe(_.size),_.space=xe(_.space),_.rotate=xe(_.rotate),Gs(_.incrs)&&_.incrs.forEach(ot=>{!Hs.has(ot)&&Hs.set(ot,xg(ot))}),_.incrs=xe(_.incrs||(N.distr==2?wb:W?g==1?Tb:Cb:ur)),_.splits=xe(_.splits||(W&&N.distr==1?at:N.distr==3?hf:N.distr==4?Yb:qb)),_.stroke=xe(_.stroke),_.grid.stroke=xe(_.grid.stroke),_.ticks.stroke=xe(_.ticks.stroke),_.border.stroke=xe(_.border.stroke);let J=_.values;_.values=Gs(J)&&!Gs(J[0])?xe(J):W?Gs(J)?Zm(Y,Ym(J,H)):Hm(J)?Lb(Y,J):J||$:J||Xb,_.filter=xe(_.filter||(N.distr>=3&&N.log==10?Jb:N.distr==3&&N.log==2?Kb:gg)),_.font=cg(_.font),_.labelFont=cg(_.labelFont),_._size=_.size(n,null,b,0),_._space=_._rotate=_._incrs=_._found=_._splits=_._values=null,_._size>0&&(Bi[b]=!0,_._el=bi(NM,f))}}function es(_,b,P,N){let[W,J,ot,ft]=P,vt=b%2,Dt=0;return vt==0&&(ft||J)&&(Dt=b==0&&!W||b==2&&!ot?bn(Km.size/3):0),vt==1&&(W||ot)&&(Dt=b==1&&!J||b==3&&!ft?bn(tg.size/2):0),Dt}let Ao=n.padding=(i.padding||[es,es,es,es]).map(_=>xe(we(_,es))),Ei=n._padding=Ao.map((_,b)=>_(n,b,Bi,0)),Je,en=null,nn=null,ki=s==1?M[0].idxs:null,ei=null,Ss=!1;function Ro(_,b){if(t=_??[],n.data=n._data=t,s==2){Je=0;for(let P=1;P<M.length;P++)Je+=t[P][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),ei=t[0],Je=ei.length;let P=t;if(k==2){P=t.slice();let N=P[0]=Array(Je);for(let W=0;W<Je;W++)N[W]=W}n._data=t=P}if(ce(!0),Cn("setData"),k==2&&(yt=!0),b!==!1){let P=D;P.auto(n,Ss)?Co():ws(T,P.min,P.max),tt=tt||ht.left>=0,dt=!0,kn()}}n.setData=Ro;function Co(){Ss=!0;let _,b;s==1&&(Je>0?(en=ki[0]=0,nn=ki[1]=Je-1,_=t[0][en],b=t[0][nn],k==2?(_=en,b=nn):_==b&&(k==3?[_,b]=Yc(_,_,D.log,!1):k==4?[_,b]=xf(_,_,D.log,!1):D.time?b=_+bn(86400/g):[_,b]=Wc(_,b,yf,!0))):(en=ki[0]=_=null,nn=ki[1]=b=null)),ws(T,_,b)}let _r,Ms,xr,w,z,K,q,Z,Et,Pt;function Tt(_,b,P,N,W,J){_??=Tm,P??=Sf,N??="butt",W??=Tm,J??="round",_!=_r&&(u.strokeStyle=_r=_),W!=Ms&&(u.fillStyle=Ms=W),b!=xr&&(u.lineWidth=xr=b),J!=z&&(u.lineJoin=z=J),N!=K&&(u.lineCap=K=N),P!=w&&u.setLineDash(w=P)}function It(_,b,P,N){b!=Ms&&(u.fillStyle=Ms=b),_!=q&&(u.font=q=_),P!=Z&&(u.textAlign=Z=P),N!=Et&&(u.textBaseline=Et=N)}function kt(_,b,P,N,W=0){if(N.length>0&&_.auto(n,Ss)&&(b==null||b.min==null)){let J=we(en,0),ot=we(nn,N.length-1),ft=P.min==null?JM(N,J,ot,W,_.distr==3):[P.min,P.max];_.min=Fi(_.min,P.min=ft[0]),_.max=Jn(_.max,P.max=ft[1])}}let ee={min:null,max:null};function fe(){for(let N in v){let W=v[N];G[N]==null&&(W.min==null||G[T]!=null&&W.auto(n,Ss))&&(G[N]=ee)}for(let N in v){let W=v[N];G[N]==null&&W.from!=null&&G[W.from]!=null&&(G[N]=ee)}G[T]!=null&&ce(!0);let _={};for(let N in G){let W=G[N];if(W!=null){let J=_[N]=yo(v[N],rb);if(W.min!=null)gn(J,W);else if(N!=T||s==2)if(Je==0&&J.from==null){let ot=J.range(n,null,null,N);J.min=ot[0],J.max=ot[1]}else J.min=Fe,J.max=-Fe}}if(Je>0){M.forEach((N,W)=>{if(s==1){let J=N.scale,ot=G[J];if(ot==null)return;let ft=_[J];if(W==0){let vt=ft.range(n,ft.min,ft.max,J);ft.min=vt[0],ft.max=vt[1],en=Ui(ft.min,t[0]),nn=Ui(ft.max,t[0]),nn-en>1&&(t[0][en]<ft.min&&en++,t[0][nn]>ft.max&&nn--),N.min=ei[en],N.max=ei[nn]}else N.show&&N.auto&&kt(ft,ot,N,t[W],N.sorted);N.idxs[0]=en,N.idxs[1]=nn}else if(W>0&&N.show&&N.auto){let[J,ot]=N.facets,ft=J.scale,vt=ot.scale,[Dt,Nt]=t[W],Ft=_[ft],se=_[vt];Ft!=null&&kt(Ft,G[ft],J,Dt,J.sorted),se!=null&&kt(se,G[vt],ot,Nt,ot.sorted),N.min=ot.min,N.max=ot.max}});for(let N in _){let W=_[N],J=G[N];if(W.from==null&&(J==null||J.min==null)){let ot=W.range(n,W.min==Fe?null:W.min,W.max==-Fe?null:W.max,N);W.min=ot[0],W.max=ot[1]}}}for(let N in _){let W=_[N];if(W.from!=null){let J=_[W.from];if(J.min==null)W.min=W.max=null;else{let ot=W.range(n,J.min,J.max,N);W.min=ot[0],W.max=ot[1]}}}let b={},P=!1;for(let N in _){let W=_[N],J=v[N];if(J.min!=W.min||J.max!=W.max){J.min=W.min,J.max=W.max;let ot=J.distr;J._min=ot==3?xs(J.min):ot==4?tf(J.min,J.asinh):ot==100?J.fwd(J.min):J.min,J._max=ot==3?xs(J.max):ot==4?tf(J.max,J.asinh):ot==100?J.fwd(J.max):J.max,b[N]=P=!0}}if(P){M.forEach((N,W)=>{s==2?W>0&&b.y&&(N._paths=null):b[N.scale]&&(N._paths=null)});for(let N in b)yt=!0,Cn("setScale",N);pt&&ht.left>=0&&(tt=dt=!0)}for(let N in G)G[N]=null}function Bt(_){let b=cf(en-1,0,Je-1),P=cf(nn+1,0,Je-1);for(;_[b]==null&&b>0;)b--;for(;_[P]==null&&P<Je-1;)P++;return[b,P]}function de(){if(Je>0){let _=M.some(b=>b._focus)&&Pt!=Ot.alpha;_&&(u.globalAlpha=Pt=Ot.alpha),M.forEach((b,P)=>{if(P>0&&b.show&&(Ze(P,!1),Ze(P,!0),b._paths==null)){let N=Pt;Pt!=b.alpha&&(u.globalAlpha=Pt=b.alpha);let W=s==2?[0,t[P][0].length-1]:Bt(t[P]);b._paths=b.paths(n,P,W[0],W[1]),Pt!=N&&(u.globalAlpha=Pt=N)}}),M.forEach((b,P)=>{if(P>0&&b.show){let N=Pt;Pt!=b.alpha&&(u.globalAlpha=Pt=b.alpha),b._paths!=null&&Pe(P,!1);{let W=b._paths!=null?b._paths.gaps:null,J=b.points.show(n,P,en,nn,W),ot=b.points.filter(n,P,J,W);(J||ot)&&(b.points._paths=b.points.paths(n,P,en,nn,ot),Pe(P,!0))}Pt!=N&&(u.globalAlpha=Pt=N),Cn("drawSeries",P)}}),_&&(u.globalAlpha=Pt=1)}}function Ze(_,b){let P=b?M[_].points:M[_];P._stroke=P.stroke(n,_),P._fill=P.fill(n,_)}function Pe(_,b){let P=b?M[_].points:M[_],{stroke:N,fill:W,clip:J,flags:ot,_stroke:ft=P._stroke,_fill:vt=P._fill,_width:Dt=P.width}=P._paths;Dt=Oe(Dt*Te,3);let Nt=null,Ft=Dt%2/2;b&&vt==null&&(vt=Dt>0?"#fff":ft);let se=P.pxAlign==1&&Ft>0;if(se&&u.translate(Ft,Ft),!b){let Ee=C-Dt/2,be=S-Dt/2,me=X+Dt,Kt=ct+Dt;Nt=new Path2D,Nt.rect(Ee,be,me,Kt)}b?Ut(ft,Dt,P.dash,P.cap,vt,N,W,ot,J):Ie(_,ft,Dt,P.dash,P.cap,vt,N,W,ot,Nt,J),se&&u.translate(-Ft,-Ft)}function Ie(_,b,P,N,W,J,ot,ft,vt,Dt,Nt){let Ft=!1;vt!=0&&R.forEach((se,Ee)=>{if(se.series[0]==_){let be=M[se.series[1]],me=t[se.series[1]],Kt=(be._paths||Ua).band;Gs(Kt)&&(Kt=se.dir==1?Kt[0]:Kt[1]);let Wt,Ge=null;be.show&&Kt&&jM(me,en,nn)?(Ge=se.fill(n,Ee)||J,Wt=be._paths.clip):Kt=null,Ut(b,P,N,W,Ge,ot,ft,vt,Dt,Nt,Wt,Kt),Ft=!0}}),Ft||Ut(b,P,N,W,J,ot,ft,vt,Dt,Nt)}let xn=vo|ff;function Ut(_,b,P,N,W,J,ot,ft,vt,Dt,Nt,Ft){Tt(_,b,P,N,W),(vt||Dt||Ft)&&(u.save(),vt&&u.clip(vt),Dt&&u.clip(Dt)),Ft?(ft&xn)==xn?(u.clip(Ft),Nt&&u.clip(Nt),ge(W,ot),cn(_,J,b)):ft&ff?(ge(W,ot),u.clip(Ft),cn(_,J,b)):ft&vo&&(u.save(),u.clip(Ft),Nt&&u.clip(Nt),ge(W,ot),u.restore(),cn(_,J,b)):(ge(W,ot),cn(_,J,b)),(vt||Dt||Ft)&&u.restore()}function cn(_,b,P){P>0&&(b instanceof Map?b.forEach((N,W)=>{u.strokeStyle=_r=W,u.stroke(N)}):b!=null&&_&&u.stroke(b))}function ge(_,b){b instanceof Map?b.forEach((P,N)=>{u.fillStyle=Ms=N,u.fill(P)}):b!=null&&_&&u.fill(b)}function ns(_,b,P,N){let W=A[_],J;if(N<=0)J=[0,0];else{let ot=W._space=W.space(n,_,b,P,N),ft=W._incrs=W.incrs(n,_,b,P,N,ot);J=yw(b,P,ft,N,ot)}return W._found=J}function hn(_,b,P,N,W,J,ot,ft,vt,Dt){let Nt=ot%2/2;y==1&&u.translate(Nt,Nt),Tt(ft,ot,vt,Dt,ft),u.beginPath();let Ft,se,Ee,be,me=W+(N==0||N==3?-J:J);P==0?(se=W,be=me):(Ft=W,Ee=me);for(let Kt=0;Kt<_.length;Kt++)b[Kt]!=null&&(P==0?Ft=Ee=_[Kt]:se=be=_[Kt],u.moveTo(Ft,se),u.lineTo(Ee,be));u.stroke(),y==1&&u.translate(-Nt,-Nt)}function yr(_){let b=!0;return A.forEach((P,N)=>{if(!P.show)return;let W=v[P.scale];if(W.min==null){P._show&&(b=!1,P._show=!1,ce(!1));return}else P._show||(b=!1,P._show=!0,ce(!1));let J=P.side,ot=J%2,{min:ft,max:vt}=W,[Dt,Nt]=ns(N,ft,vt,ot==0?O:Ct);if(Nt==0)return;let Ft=W.distr==2,se=P._splits=P.splits(n,N,ft,vt,Dt,Nt,Ft),Ee=W.distr==2?se.map(Wt=>ei[Wt]):se,be=W.distr==2?ei[se[1]]-ei[se[0]]:Dt,me=P._values=P.values(n,P.filter(n,Ee,N,Nt,be),N,Nt,be);P._rotate=J==2?P.rotate(n,me,N,Nt):0;let Kt=P._size;P._size=wi(P.size(n,me,N,_)),Kt!=null&&P._size!=Kt&&(b=!1)}),b}function zi(_){let b=!0;return Ao.forEach((P,N)=>{let W=P(n,N,Bi,_);W!=Ei[N]&&(b=!1),Ei[N]=W}),b}function is(){for(let _=0;_<A.length;_++){let b=A[_];if(!b.show||!b._show)continue;let P=b.side,N=P%2,W,J,ot=b.stroke(n,_),ft=P==0||P==3?-1:1,[vt,Dt]=b._found;if(b.label!=null){let Yn=b.labelGap*ft,si=bn((b._lpos+Yn)*Te);It(b.labelFont[0],ot,"center",P==2?"top":Em),u.save(),N==1?(W=J=0,u.translate(si,bn(S+ct/2)),u.rotate((P==3?-Gc:Gc)/2)):(W=bn(C+X/2),J=si);let qs=pg(b.label)?b.label(n,_,vt,Dt):b.label;u.fillText(qs,W,J),u.restore()}if(Dt==0)continue;let Nt=v[b.scale],Ft=N==0?X:ct,se=N==0?C:S,Ee=b._splits,be=Nt.distr==2?Ee.map(Yn=>ei[Yn]):Ee,me=Nt.distr==2?ei[Ee[1]]-ei[Ee[0]]:vt,Kt=b.ticks,Wt=b.border,Ge=Kt.show?Kt.size:0,je=bn(Ge*Te),Pn=bn((b.alignTo==2?b._size-Ge-b.gap:b.gap)*Te),Ne=b._rotate*-Gc/180,Qe=m(b._pos*Te),ni=(je+Pn)*ft,qn=Qe+ni;J=N==0?qn:0,W=N==1?qn:0;let mi=b.font[0],Ti=b.align==1?po:b.align==2?Ku:Ne>0?po:Ne<0?Ku:N==0?"center":P==3?Ku:po,Hi=Ne||N==1?"middle":P==2?"top":Em;It(mi,ot,Ti,Hi);let ii=b.font[1]*b.lineGap,gi=Ee.map(Yn=>m(a(Yn,Nt,Ft,se))),Ai=b._values;for(let Yn=0;Yn<Ai.length;Yn++){let si=Ai[Yn];if(si!=null){N==0?W=gi[Yn]:J=gi[Yn],si=""+si;let qs=si.indexOf(`
`)==-1?[si]:si.split(/\n/gm);for(let Zn=0;Zn<qs.length;Zn++){let ld=qs[Zn];Ne?(u.save(),u.translate(W,J+Zn*ii),u.rotate(Ne),u.fillText(ld,0,0),u.restore()):u.fillText(ld,W,J+Zn*ii)}}}Kt.show&&hn(gi,Kt.filter(n,be,_,Dt,me),N,P,Qe,je,Oe(Kt.width*Te,3),Kt.stroke(n,_),Kt.dash,Kt.cap);let Wi=b.grid;Wi.show&&hn(gi,Wi.filter(n,be,_,Dt,me),N,N==0?2:1,N==0?S:C,N==0?ct:X,Oe(Wi.width*Te,3),Wi.stroke(n,_),Wi.dash,Wi.cap),Wt.show&&hn([Qe],[1],N==0?1:0,N==0?1:2,N==1?S:C,N==1?ct:X,Oe(Wt.width*Te,3),Wt.stroke(n,_),Wt.dash,Wt.cap)}Cn("drawAxes")}function ce(_){M.forEach((b,P)=>{P>0&&(b._paths=null,_&&(s==1?(b.min=null,b.max=null):b.facets.forEach(N=>{N.min=null,N.max=null})))})}let Ke=!1,Xn=!1,Le=[];function un(){Xn=!1;for(let _=0;_<Le.length;_++)Cn(...Le[_]);Le.length=0}function kn(){Ke||(fb(Wf),Ke=!0)}function Va(_,b=!1){Ke=!0,Xn=b,_(n),Wf(),b&&Le.length>0&&queueMicrotask(un)}n.batch=Va;function Wf(){if(rt&&(fe(),rt=!1),yt&&(wt(),yt=!1),gt){if(We(d,po,Jt),We(d,"top",oe),We(d,Ia,O),We(d,La,Ct),We(p,po,Jt),We(p,"top",oe),We(p,Ia,O),We(p,La,Ct),We(f,Ia,$e),We(f,La,ln),h.width=bn($e*Te),h.height=bn(ln*Te),A.forEach(({_el:_,_show:b,_size:P,_pos:N,side:W})=>{if(_!=null)if(b){let J=W===3||W===0?P:0,ot=W%2==1;We(_,ot?"left":"top",N-J),We(_,ot?"width":"height",P),We(_,ot?"top":"left",ot?oe:Jt),We(_,ot?"height":"width",ot?Ct:O),af(_,fr)}else ui(_,fr)}),_r=Ms=xr=z=K=q=Z=Et=w=null,Pt=1,Lo(!0),Jt!=bt||oe!=Ue||O!=zt||Ct!=$t){ce(!1);let _=O/zt,b=Ct/$t;if(pt&&!tt&&ht.left>=0){ht.left*=_,ht.top*=b,vr&&Qi(vr,bn(ht.left),0,O,Ct),Sr&&Qi(Sr,0,bn(ht.top),O,Ct);for(let P=0;P<ae.length;P++){let N=ae[P];N!=null&&(ke[P]*=_,Wn[P]*=b,Qi(N,wi(ke[P]),wi(Wn[P]),O,Ct))}}if(Ve.show&&!it&&Ve.left>=0&&Ve.width>0){Ve.left*=_,Ve.width*=_,Ve.top*=b,Ve.height*=b;for(let P in wh)We(wr,P,Ve[P])}bt=Jt,Ue=oe,zt=O,$t=Ct}Cn("setSize"),gt=!1}$e>0&&ln>0&&(u.clearRect(0,0,h.width,h.height),Cn("drawClear"),E.forEach(_=>_()),Cn("draw")),Ve.show&&it&&(Ga(Ve),it=!1),pt&&tt&&(Xs(null,!0,!1),tt=!1),ut.show&&ut.live&&dt&&(Mh(),dt=!1),c||(c=!0,n.status=1,Cn("ready")),Ss=!1,Ke=!1}n.redraw=(_,b)=>{yt=b||!1,_!==!1?ws(T,D.min,D.max):kn()};function yh(_,b){let P=v[_];if(P.from==null){if(Je==0){let N=P.range(n,b.min,b.max,_);b.min=N[0],b.max=N[1]}if(b.min>b.max){let N=b.min;b.min=b.max,b.max=N}if(Je>1&&b.min!=null&&b.max!=null&&b.max-b.min<1e-16)return;_==T&&P.distr==2&&Je>0&&(b.min=Ui(b.min,t[0]),b.max=Ui(b.max,t[0]),b.min==b.max&&b.max++),G[_]=b,rt=!0,kn()}}n.setScale=yh;let vh,Sh,vr,Sr,Xf,qf,Mr,br,Yf,Zf,ze,qe,bs=!1,Nn=ht.drag,An=Nn.x,Rn=Nn.y;pt&&(ht.x&&(vh=bi(FM,p)),ht.y&&(Sh=bi(OM,p)),D.ori==0?(vr=vh,Sr=Sh):(vr=Sh,Sr=vh),ze=ht.left,qe=ht.top);let Ve=n.select=gn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),wr=Ve.show?bi(UM,Ve.over?p:d):null;function Ga(_,b){if(Ve.show){for(let P in _)Ve[P]=_[P],P in wh&&We(wr,P,_[P]);b!==!1&&Cn("setSelect")}}n.setSelect=Ga;function E0(_){if(M[_].show)Q&&af(re[_],fr);else if(Q&&ui(re[_],fr),pt){let P=Rt?ae[0]:ae[_];P!=null&&Qi(P,-10,-10,O,Ct)}}function ws(_,b,P){yh(_,{min:b,max:P})}function Vi(_,b,P,N){b.focus!=null&&P0(_),b.show!=null&&M.forEach((W,J)=>{J>0&&(_==J||_==null)&&(W.show=b.show,E0(J),s==2?(ws(W.facets[0].scale,null,null),ws(W.facets[1].scale,null,null)):ws(W.scale,null,null),kn())}),P!==!1&&Cn("setSeries",_,b),N&&Do("setSeries",n,_,b)}n.setSeries=Vi;function T0(_,b){gn(R[_],b)}function A0(_,b){_.fill=xe(_.fill||null),_.dir=we(_.dir,-1),b=b??R.length,R.splice(b,0,_)}function R0(_){_==null?R.length=0:R.splice(_,1)}n.addBand=A0,n.setBand=T0,n.delBand=R0;function C0(_,b){M[_].alpha=b,pt&&ae[_]!=null&&(ae[_].style.opacity=b),Q&&re[_]&&(re[_].style.opacity=b)}let ss,Es,Ws,Er={focus:!0};function P0(_){if(_!=Ws){let b=_==null,P=Ot.alpha!=1;M.forEach((N,W)=>{if(s==1||W>0){let J=b||W==0||W==_;N._focus=b?null:J,P&&C0(W,J?1:Ot.alpha)}}),Ws=_,P&&kn()}}Q&&Qt&&ye(Cm,At,_=>{ht._lock||(jt(_),Ws!=null&&Vi(null,Er,!0,fn.setSeries))});function Gi(_,b,P){let N=v[b];P&&(_=_/Te-(N.ori==1?oe:Jt));let W=O;N.ori==1&&(W=Ct,_=W-_),N.dir==-1&&(_=W-_);let J=N._min,ot=N._max,ft=_/W,vt=J+(ot-J)*ft,Dt=N.distr;return Dt==3?_o(10,vt):Dt==4?tb(vt,N.asinh):Dt==100?N.bwd(vt):vt}function I0(_,b){let P=Gi(_,T,b);return Ui(P,t[0],en,nn)}n.valToIdx=_=>Ui(_,t[0]),n.posToIdx=I0,n.posToVal=Gi,n.valToPos=(_,b,P)=>v[b].ori==0?r(_,v[b],P?X:O,P?C:0):o(_,v[b],P?ct:Ct,P?S:0),n.setCursor=(_,b,P)=>{ze=_.left,qe=_.top,Xs(null,b,P)};function $f(_,b){We(wr,po,Ve.left=_),We(wr,Ia,Ve.width=b)}function Jf(_,b){We(wr,"top",Ve.top=_),We(wr,La,Ve.height=b)}let Po=D.ori==0?$f:Jf,Io=D.ori==1?$f:Jf;function L0(){if(Q&&ut.live)for(let _=s==2?1:0;_<M.length;_++){if(_==0&&le)continue;let b=ut.values[_],P=0;for(let N in b)Vt[_][P++].firstChild.nodeValue=b[N]}}function Mh(_,b){if(_!=null&&(_.idxs?_.idxs.forEach((P,N)=>{nt[N]=P}):sb(_.idx)||nt.fill(_.idx),ut.idx=nt[0]),Q&&ut.live){for(let P=0;P<M.length;P++)(P>0||s==1&&!le)&&D0(P,nt[P]);L0()}dt=!1,b!==!1&&Cn("setLegend")}n.setLegend=Mh;function D0(_,b){let P=M[_],N=_==0&&k==2?ei:t[_],W;le?W=P.values(n,_,b)??ie:(W=P.value(n,b==null?null:N[b],_,b),W=W==null?ie:{_:W}),ut.values[_]=W}function Xs(_,b,P){Yf=ze,Zf=qe,[ze,qe]=ht.move(n,ze,qe),ht.left=ze,ht.top=qe,pt&&(vr&&Qi(vr,bn(ze),0,O,Ct),Sr&&Qi(Sr,0,bn(qe),O,Ct));let N,W=en>nn;ss=Fe,Es=null;let J=D.ori==0?O:Ct,ot=D.ori==1?O:Ct;if(ze<0||Je==0||W){N=ht.idx=null;for(let ft=0;ft<M.length;ft++){let vt=ae[ft];vt!=null&&Qi(vt,-10,-10,O,Ct)}Qt&&Vi(null,Er,!0,_==null&&fn.setSeries),ut.live&&(nt.fill(N),dt=!0)}else{let ft,vt,Dt;s==1&&(ft=D.ori==0?ze:qe,vt=Gi(ft,T),N=ht.idx=Ui(vt,t[0],en,nn),Dt=V(t[0][N],D,J,0));let Nt=-10,Ft=-10,se=0,Ee=0,be=!0,me="",Kt="";for(let Wt=s==2?1:0;Wt<M.length;Wt++){let Ge=M[Wt],je=nt[Wt],Pn=je==null?null:s==1?t[Wt][je]:t[Wt][1][je],Ne=ht.dataIdx(n,Wt,N,vt),Qe=Ne==null?null:s==1?t[Wt][Ne]:t[Wt][1][Ne];if(dt=dt||Qe!=Pn||Ne!=je,nt[Wt]=Ne,Wt>0&&Ge.show){let ni=Ne==null?-10:Ne==N?Dt:V(s==1?t[0][Ne]:t[Wt][0][Ne],D,J,0),qn=Qe==null?-10:I(Qe,s==1?v[Ge.scale]:v[Ge.facets[1].scale],ot,0);if(Qt&&Qe!=null){let mi=D.ori==1?ze:qe,Ti=wn(Ot.dist(n,Wt,Ne,qn,mi));if(Ti<ss){let Hi=Ot.bias;if(Hi!=0){let ii=Gi(mi,Ge.scale),gi=Qe>=0?1:-1,Ai=ii>=0?1:-1;Ai==gi&&(Ai==1?Hi==1?Qe>=ii:Qe<=ii:Hi==1?Qe<=ii:Qe>=ii)&&(ss=Ti,Es=Wt)}else ss=Ti,Es=Wt}}if(dt||Rt){let mi,Ti;D.ori==0?(mi=ni,Ti=qn):(mi=qn,Ti=ni);let Hi,ii,gi,Ai,Wi,Yn,si=!0,qs=lt.bbox;if(qs!=null){si=!1;let Zn=qs(n,Wt);gi=Zn.left,Ai=Zn.top,Hi=Zn.width,ii=Zn.height}else gi=mi,Ai=Ti,Hi=ii=lt.size(n,Wt);if(Yn=lt.fill(n,Wt),Wi=lt.stroke(n,Wt),Rt)Wt==Es&&ss<=Ot.prox&&(Nt=gi,Ft=Ai,se=Hi,Ee=ii,be=si,me=Yn,Kt=Wi);else{let Zn=ae[Wt];Zn!=null&&(ke[Wt]=gi,Wn[Wt]=Ai,Fm(Zn,Hi,ii,si),Nm(Zn,Yn,Wi),Qi(Zn,wi(gi),wi(Ai),O,Ct))}}}}if(Rt){let Wt=Ot.prox,Ge=Ws==null?ss<=Wt:ss>Wt||Es!=Ws;if(dt||Ge){let je=ae[0];je!=null&&(ke[0]=Nt,Wn[0]=Ft,Fm(je,se,Ee,be),Nm(je,me,Kt),Qi(je,wi(Nt),wi(Ft),O,Ct))}}}if(Ve.show&&bs)if(_!=null){let[ft,vt]=fn.scales,[Dt,Nt]=fn.match,[Ft,se]=_.cursor.sync.scales,Ee=_.cursor.drag;if(An=Ee._x,Rn=Ee._y,An||Rn){let{left:be,top:me,width:Kt,height:Wt}=_.select,Ge=_.scales[Ft].ori,je=_.posToVal,Pn,Ne,Qe,ni,qn,mi=ft!=null&&Dt(ft,Ft),Ti=vt!=null&&Nt(vt,se);mi&&An?(Ge==0?(Pn=be,Ne=Kt):(Pn=me,Ne=Wt),Qe=v[ft],ni=V(je(Pn,Ft),Qe,J,0),qn=V(je(Pn+Ne,Ft),Qe,J,0),Po(Fi(ni,qn),wn(qn-ni))):Po(0,J),Ti&&Rn?(Ge==1?(Pn=be,Ne=Kt):(Pn=me,Ne=Wt),Qe=v[vt],ni=I(je(Pn,se),Qe,ot,0),qn=I(je(Pn+Ne,se),Qe,ot,0),Io(Fi(ni,qn),wn(qn-ni))):Io(0,ot)}else Eh()}else{let ft=wn(Yf-Xf),vt=wn(Zf-qf);if(D.ori==1){let se=ft;ft=vt,vt=se}An=Nn.x&&ft>=Nn.dist,Rn=Nn.y&&vt>=Nn.dist;let Dt=Nn.uni;Dt!=null?An&&Rn&&(An=ft>=Dt,Rn=vt>=Dt,!An&&!Rn&&(vt>ft?Rn=!0:An=!0)):Nn.x&&Nn.y&&(An||Rn)&&(An=Rn=!0);let Nt,Ft;An&&(D.ori==0?(Nt=Mr,Ft=ze):(Nt=br,Ft=qe),Po(Fi(Nt,Ft),wn(Ft-Nt)),Rn||Io(0,ot)),Rn&&(D.ori==1?(Nt=Mr,Ft=ze):(Nt=br,Ft=qe),Io(Fi(Nt,Ft),wn(Ft-Nt)),An||Po(0,J)),!An&&!Rn&&(Po(0,0),Io(0,0))}if(Nn._x=An,Nn._y=Rn,_==null){if(P){if(ad!=null){let[ft,vt]=fn.scales;fn.values[0]=ft!=null?Gi(D.ori==0?ze:qe,ft):null,fn.values[1]=vt!=null?Gi(D.ori==1?ze:qe,vt):null}Do(ju,n,ze,qe,O,Ct,N)}if(Qt){let ft=P&&fn.setSeries,vt=Ot.prox;Ws==null?ss<=vt&&Vi(Es,Er,!0,ft):ss>vt?Vi(null,Er,!0,ft):Es!=Ws&&Vi(Es,Er,!0,ft)}}dt&&(ut.idx=N,Mh()),b!==!1&&Cn("setCursor")}let Ts=null;Object.defineProperty(n,"rect",{get(){return Ts==null&&Lo(!1),Ts}});function Lo(_=!1){_?Ts=null:(Ts=p.getBoundingClientRect(),Cn("syncRect",Ts))}function Kf(_,b,P,N,W,J,ot){ht._lock||bs&&_!=null&&_.movementX==0&&_.movementY==0||(bh(_,b,P,N,W,J,ot,!1,_!=null),_!=null?Xs(null,!0,!0):Xs(b,!0,!1))}function bh(_,b,P,N,W,J,ot,ft,vt){if(Ts==null&&Lo(!1),jt(_),_!=null)P=_.clientX-Ts.left,N=_.clientY-Ts.top;else{if(P<0||N<0){ze=-10,qe=-10;return}let[Dt,Nt]=fn.scales,Ft=b.cursor.sync,[se,Ee]=Ft.values,[be,me]=Ft.scales,[Kt,Wt]=fn.match,Ge=b.axes[0].side%2==1,je=D.ori==0?O:Ct,Pn=D.ori==1?O:Ct,Ne=Ge?J:W,Qe=Ge?W:J,ni=Ge?N:P,qn=Ge?P:N;if(be!=null?P=Kt(Dt,be)?a(se,v[Dt],je,0):-10:P=je*(ni/Ne),me!=null?N=Wt(Nt,me)?a(Ee,v[Nt],Pn,0):-10:N=Pn*(qn/Qe),D.ori==1){let mi=P;P=N,N=mi}}vt&&(b==null||b.cursor.event.type==ju)&&((P<=1||P>=O-1)&&(P=hr(P,O)),(N<=1||N>=Ct-1)&&(N=hr(N,Ct))),ft?(Xf=P,qf=N,[Mr,br]=ht.move(n,P,N)):(ze=P,qe=N)}let wh={width:0,height:0,left:0,top:0};function Eh(){Ga(wh,!1)}let jf,Qf,td,ed;function nd(_,b,P,N,W,J,ot){bs=!0,An=Rn=Nn._x=Nn._y=!1,bh(_,b,P,N,W,J,ot,!0,!1),_!=null&&(ye(Qu,rf,id,!1),Do(Am,n,Mr,br,O,Ct,null));let{left:ft,top:vt,width:Dt,height:Nt}=Ve;jf=ft,Qf=vt,td=Dt,ed=Nt}function id(_,b,P,N,W,J,ot){bs=Nn._x=Nn._y=!1,bh(_,b,P,N,W,J,ot,!1,!0);let{left:ft,top:vt,width:Dt,height:Nt}=Ve,Ft=Dt>0||Nt>0,se=jf!=ft||Qf!=vt||td!=Dt||ed!=Nt;if(Ft&&se&&Ga(Ve),Nn.setScale&&Ft&&se){let Ee=ft,be=Dt,me=vt,Kt=Nt;if(D.ori==1&&(Ee=vt,be=Nt,me=ft,Kt=Dt),An&&ws(T,Gi(Ee,T),Gi(Ee+be,T)),Rn)for(let Wt in v){let Ge=v[Wt];Wt!=T&&Ge.from==null&&Ge.min!=Fe&&ws(Wt,Gi(me+Kt,Wt),Gi(me,Wt))}Eh()}else ht.lock&&(ht._lock=!ht._lock,Xs(b,!0,_!=null));_!=null&&(_n(Qu,rf),Do(Qu,n,ze,qe,O,Ct,null))}function N0(_,b,P,N,W,J,ot){if(ht._lock)return;jt(_);let ft=bs;if(bs){let vt=!0,Dt=!0,Nt=10,Ft,se;D.ori==0?(Ft=An,se=Rn):(Ft=Rn,se=An),Ft&&se&&(vt=ze<=Nt||ze>=O-Nt,Dt=qe<=Nt||qe>=Ct-Nt),Ft&&vt&&(ze=ze<Mr?0:O),se&&Dt&&(qe=qe<br?0:Ct),Xs(null,!0,!0),bs=!1}ze=-10,qe=-10,nt.fill(null),Xs(null,!0,!0),ft&&(bs=ft)}function sd(_,b,P,N,W,J,ot){ht._lock||(jt(_),Co(),Eh(),_!=null&&Do(Pm,n,ze,qe,O,Ct,null))}function rd(){A.forEach(vw),F(n.width,n.height,!0)}dr(Hc,go,rd);let Tr={};Tr.mousedown=nd,Tr.mousemove=Kf,Tr.mouseup=id,Tr.dblclick=sd,Tr.setSeries=(_,b,P,N)=>{let W=fn.match[2];P=W(n,b,P),P!=-1&&Vi(P,N,!0,!1)},pt&&(ye(Am,p,nd),ye(ju,p,Kf),ye(Rm,p,_=>{jt(_),Lo(!1)}),ye(Cm,p,N0),ye(Pm,p,sd),df.add(n),n.syncRect=Lo);let Ha=n.hooks=i.hooks||{};function Cn(_,b,P){Xn?Le.push([_,b,P]):_ in Ha&&Ha[_].forEach(N=>{N.call(null,n,b,P)})}(i.plugins||[]).forEach(_=>{for(let b in _.hooks)Ha[b]=(Ha[b]||[]).concat(_.hooks[b])});let od=(_,b,P)=>P,fn=gn({key:null,setSeries:!1,filters:{pub:Vm,sub:Vm},scales:[T,M[1]?M[1].scale:null],match:[Gm,Gm,od],values:[null,null]},ht.sync);fn.match.length==2&&fn.match.push(od),ht.sync=fn;let ad=fn.key,Th=Bg(ad);function Do(_,b,P,N,W,J,ot){fn.filters.pub(_,b,P,N,W,J,ot)&&Th.pub(_,b,P,N,W,J,ot)}Th.sub(n);function U0(_,b,P,N,W,J,ot){fn.filters.sub(_,b,P,N,W,J,ot)&&Tr[_](null,b,P,N,W,J,ot)}n.pub=U0;function F0(){Th.unsub(n),df.delete(n),Tn.clear(),lf(Hc,go,rd),l.remove(),At?.remove(),Cn("destroy")}n.destroy=F0;function Ah(){Cn("init",i,t),Ro(t||i.data,!1),G[T]?yh(T,G[T]):Co(),it=Ve.show&&(Ve.width>0||Ve.height>0),tt=dt=!0,F(i.width,i.height)}return M.forEach(gr),A.forEach(ts),e?e instanceof HTMLElement?(e.appendChild(l),Ah()):e(n,Ah):Ah(),n}Dn.assign=gn;Dn.fmtNum=vf;Dn.rangeNum=Wc;Dn.rangeLog=Yc;Dn.rangeAsinh=xf;Dn.orient=mr;Dn.pxRatio=Te;Dn.join=ub;Dn.fmtDate=Mf,Dn.tzDate=Mb;Dn.sync=Bg;{Dn.addGap=sw,Dn.clipGaps=Jc;let i=Dn.paths={points:Wg};i.linear=qg,i.stepped=aw,i.bars=lw,i.spline=hw}function th(i,t,e,n,s,r,o){let a=e[n+3],c=e[n+4],l=e[n+5],h=e[n+6],u=2*(l*o-h*r),f=2*(h*s-c*o),d=2*(c*r-l*s);i[t]=s+a*u+l*d-h*f,i[t+1]=r+a*f+h*u-c*d,i[t+2]=o+a*d+c*f-l*u}function vs(i,t,e,n,s,r){let o=e[n+3],a=e[n+4],c=e[n+5],l=e[n+6],h=s[r+3],u=s[r+4],f=s[r+5],d=s[r+6],p=e[n],y=e[n+1],m=e[n+2];th(i,t,e,n,s[r],s[r+1],s[r+2]),i[t]+=p,i[t+1]+=y,i[t+2]+=m,i[t+3]=o*h-a*u-c*f-l*d,i[t+4]=o*u+a*h+c*d-l*f,i[t+5]=o*f-a*d+c*h+l*u,i[t+6]=o*d+a*f-c*u+l*h}function Oa(i,t,e,n){let s=e[n],r=e[n+1],o=e[n+2],a=[0,0,0,e[n+3],-e[n+4],-e[n+5],-e[n+6]];th(i,t,a,0,-s,-r,-o);for(let c=3;c<7;c++)i[t+c]=a[c]}function Jg(i,t,e,n,s,r,o){let a=new Float64Array(7),c=new Float64Array(7);Oa(a,0,e,n),vs(c,0,a,0,s,r);let l=c[3]<0?-1:1,h=Math.hypot(c[4],c[5],c[6]),u=Math.min(o*Math.atan2(h,l*c[3]),Math.PI/2),f=h>1e-12?l*Math.sin(u)/h:0;for(let d=0;d<3;d++)c[d]*=o;c[3]=Math.cos(u);for(let d=4;d<7;d++)c[d]*=f;vs(i,t,e,n,c,0)}function Ba(i,t,e){let n=t[e+3],s=t[e+4],r=t[e+5],o=t[e+6],a=2/(n*n+s*s+r*r+o*o),c=a*s*s,l=a*r*r,h=a*o*o,u=a*s*r,f=a*s*o,d=a*r*o,p=a*n*s,y=a*n*r,m=a*n*o;return i[0]=1-l-h,i[1]=u+m,i[2]=f-y,i[3]=0,i[4]=u-m,i[5]=1-c-h,i[6]=d+p,i[7]=0,i[8]=f+y,i[9]=d-p,i[10]=1-c-l,i[11]=0,i[12]=t[e],i[13]=t[e+1],i[14]=t[e+2],i[15]=1,i}var pi=7;function nh(i,t){let e=0,n=i.length-1;if(t<=i[0]||n===0)return[0,0];if(t>=i[n])return[n-1,1];for(;n-e>1;){let s=e+n>>1;i[s]<=t?e=s:n=s}return[e,(t-i[e])/(i[n]-i[e])]}function wo(i,t){let[e,n]=nh(i,t);return Math.min(n>.5?e+1:e,i.length-1)}var eh=class{constructor(t,e){let{bones:n}=t;this.times=e.get(t.time),this.stored=e.channels(n.poses),this.rest=e.get(n.rest),this.parent=n.parent,this.elastic=n.elastic,this.count=n.parent.length,this.order=Sw(n.parent),this.stiff=!n.elastic.some(Boolean),this.now=new Float64Array(this.count*pi),this.world=new Float64Array(this.count*pi),this.shown=new Float64Array(this.count*pi)}at(t,e,n=null){let{now:s,world:r,shown:o,parent:a,elastic:c,rest:l}=this,h=n??this.order;if(this.interpolate(t,h),this.stiff&&!n)return r.set(s),o.set(s),o;let u=new Float64Array(pi),f=new Float64Array(pi);for(let d of h){let p=d*pi,y=a[d]*pi;a[d]>=0&&c[d]?vs(r,p,r,y,s,p):r.set(s.subarray(p,p+pi),p),a[d]<0||e===1?o.set(r.subarray(p,p+pi),p):c[d]?(Jg(u,0,l,p,s,p,e),vs(o,p,o,y,u,0)):(Oa(f,0,r,y),vs(u,0,f,0,r,p),vs(o,p,o,y,u,0))}return o}between(t){let[e,n]=nh(this.times,t),s=this.count*pi;return[e*s,Math.min(e+1,this.times.length-1)*s,n]}interpolate(t,e){let{now:n,stored:s}=this,[r,o,a]=this.between(t);for(let c of e){let l=c*pi,h=l+pi;for(let m=l;m<h;m++)n[m]=(1-a)*s[r+m]+a*s[o+m];let u=n[l+3],f=n[l+4],d=n[l+5],p=n[l+6],y=Math.sqrt(u*u+f*f+d*d+p*p)||1;for(let m=l+3;m<h;m++)n[m]/=y}}spots(t,e,n){let{stored:s}=this,[r,o,a]=this.between(t);for(let c=0;c<e.length;c++){let l=e[c]*pi;for(let h=0;h<3;h++)n[3*c+h]=(1-a)*s[r+l+h]+a*s[o+l+h]}}};function Sw(i){let t=[],e=new Array(i.length).fill(!1),n=s=>{e[s]||(e[s]=!0,i[s]>=0&&n(i[s]),t.push(s))};return i.forEach((s,r)=>n(r)),t}var Pf=[],Kg=matchMedia("(prefers-color-scheme: dark)"),Mw=matchMedia("print");function on(i){return getComputedStyle(document.documentElement).getPropertyValue(`--${i}`).trim()}function ka(){let i=document.documentElement.dataset.theme;return i?i==="dark":Kg.matches}function ih(i){Pf.push(i)}function Cf(){for(let i of Pf)i()}function jg(i){if(Kg.addEventListener("change",Cf),Mw.addEventListener("change",Cf),!i)return;let t=()=>{i.setAttribute("aria-label",ka()?"Light page":"Dark page"),i.textContent=ka()?"\u2600":"\u263E"};i.hidden=!1,i.addEventListener("click",()=>{document.documentElement.dataset.theme=ka()?"light":"dark",Cf()}),Pf.push(t),t()}var t0="http://www.w3.org/2000/svg",If="system-ui, sans-serif",Qg=16,Lf=24;function Df(i,t){let e=URL.createObjectURL(t),n=_t("a",{href:e,download:i});document.body.append(n),n.click(),n.remove(),setTimeout(()=>URL.revokeObjectURL(e),1e4)}function Nf(i,t){return`${i.replace(/[^\p{L}\p{N}]+/gu,"-").replace(/^-+|-+$/g,"").slice(0,60)||"plot"}.${t}`}function e0(i){let t={PNG:()=>ww(i),SVG:()=>new Blob([Ew(i)],{type:"image/svg+xml"}),CSV:()=>new Blob([bw(i)],{type:"text/csv"})},e=_t("div",{class:"saves",role:"group","aria-label":`Save ${i.title}`});for(let[n,s]of Object.entries(t)){let r=async()=>Df(Nf(i.title,n.toLowerCase()),await s());e.append(_t("button",{type:"button",class:"chip",title:`Save as ${n}`,"data-save":n,onclick:r},n))}return e}function bw({x:i,raw:t,plot:e}){let n=o=>{let a=/^[=+\-@\t\r]/.test(o)?`'${o}`:o;return/[",\n\r]/.test(a)?`"${a.replaceAll('"','""')}"`:a},s=o=>n(o.unit?`${o.label} [${o.unit}]`:o.label),r=[["time [s]",...e.series.map(s)].join(",")];for(let o=0;o<i.length;o++)r.push([i[o],...t.map(a=>a[o]??"")].join(","));return`${r.join(`\r
`)}\r
`}function n0({u:i,plot:t}){let e=t.series.map((l,h)=>({...l,i:h})).filter(({i:l})=>i.series[l+1].show),n=i.width,s=Lf,r=Lf+i.height,o=12,a=0,c=e.map(l=>{let h=26+6.6*l.label.length;o+h>n&&o>12&&([o,a]=[12,a+1]);let u={series:l,x:o,y:r+8+Qg*a};return o+=h+10,u});return{width:n,top:s,height:r+16+Qg*(a+1),legend:c}}var Uf=i=>i.colour||on("ink");async function ww(i){let{u:t,title:e,plot:n}=i,{width:s,top:r,height:o,legend:a}=n0(i),c=t.ctx.canvas.width/t.width,l=_t("canvas",{width:Math.round(s*c),height:Math.round(o*c)}),h=l.getContext("2d");h.scale(c,c),h.fillStyle=on("ground"),h.fillRect(0,0,s,o),h.drawImage(t.ctx.canvas,0,r,t.width,t.height),h.textBaseline="middle",h.font=`600 13px ${If}`,h.fillStyle=on("ink"),h.fillText(i0(e,n),12,Lf/2),h.font=`12px ${If}`;for(let{series:u,x:f,y:d}of a)h.fillStyle=Uf(u),h.fillRect(f,d-4,10,10),h.fillStyle=on("ink"),h.fillText(u.label,f+15,d+1);return new Promise(u=>l.toBlob(u,"image/png"))}var i0=(i,t)=>`${i} [${[...new Set(t.series.map(({unit:e})=>e))].join(", ")||"1"}]`;function Oi(i,t,...e){let n=document.createElementNS(t0,i);for(let[s,r]of Object.entries(t))n.setAttribute(s,String(r));return n.append(...e),n}function Ew(i){let{u:t,title:e,plot:n,drawn:s,x:r}=i,{width:o,top:a,height:c,legend:l}=n0(i),h=t.ctx.canvas.width/t.width,u={x:t.bbox.left/h,y:a+t.bbox.top/h,width:t.bbox.width/h,height:t.bbox.height/h},f=v=>u.x+t.valToPos(v,"x"),d=v=>u.y+t.valToPos(v,"y"),p=(v,R,T={})=>Oi("text",{fill:on("soft"),"font-size":11,...R,...T},v),y=Oi("svg",{xmlns:t0,width:o,height:c,viewBox:`0 0 ${o} ${c}`,"font-family":If},Oi("rect",{width:o,height:c,fill:on("ground")}),Oi("rect",{...u,fill:on("plot")}),p(i0(e,n),{x:12,y:17},{fill:on("ink"),"font-size":13,"font-weight":600}));for(let[v,R]of[[0,f],[1,d]]){let T=t.axes[v]._splits??[],x=Ff(T);T.forEach((E,B)=>{let L=R(E),D=v?{x1:u.x,x2:u.x+u.width,y1:L,y2:L}:{x1:L,x2:L,y1:u.y,y2:u.y+u.height};y.append(Oi("line",{...D,stroke:on("grid")})),y.append(v?p(x[B],{x:u.x-6,y:L+4,"text-anchor":"end"}):p(x[B]&&`${x[B]} s`,{x:L,y:u.y+u.height+16,"text-anchor":"middle"}))})}let m=`clip-${n.id}`;y.append(Oi("clipPath",{id:m},Oi("rect",u)));let g=Oi("g",{"clip-path":`url(#${m})`,fill:"none","stroke-width":1.75}),{min:M,max:A}=t.scales.x;for(let{series:v}of l)g.append(Tw(v,s[v.i],r,f,d,M,A));for(let v of n.limits){let R=d(v.value);g.append(Oi("line",{x1:u.x,x2:u.x+u.width,y1:R,y2:R,stroke:on("fail"),"stroke-width":1,"stroke-dasharray":"6 4"})),g.append(p(v.label,{x:u.x+u.width-4,y:R-4,"text-anchor":"end"},{fill:on("fail"),"font-size":10}))}y.append(g);for(let{series:v,x:R,y:T}of l)y.append(Oi("rect",{x:R,y:T-4,width:10,height:10,fill:Uf(v)})),y.append(p(v.label,{x:R+15,y:T+5},{fill:on("ink"),"font-size":12}));return new XMLSerializer().serializeToString(y)}function Tw(i,t,e,n,s,r,o){let a="",c=!1;for(let h=0;h<e.length;h++)if(!(h+1<e.length&&e[h+1]<r||h>0&&e[h-1]>o)){if(t[h]==null){c=!1;continue}a+=`${c?"L":"M"}${n(e[h]).toFixed(2)} ${s(t[h]).toFixed(2)}`,c=!0}let l=i.dash?{"stroke-dasharray":i.dash.join(" ")}:{};return Oi("path",{d:a,stroke:Uf(i),...l})}var Aw=12,sh=class{constructor(t,e,n){this.clock=n,this.range=[n.start,n.end],this.all=[],this.sync=Dn.sync("time");for(let s of t.plots){let r=document.getElementById(s.id);r&&this.add(r,s,e)}n.listen(()=>this.now()),ih(()=>{for(let{u:s}of this.all)s.redraw(!1)})}add(t,e,n){let s=n.get(e.x),r=t.querySelector("img")?.alt||e.series[0]?.label||"plot",o=e.series.map(d=>[...n.get(d.y)].map(p=>Number.isNaN(p)?null:p)),a=e.stacked?Cw(o,e.stacked):o;t.replaceChildren();let c=()=>({width:Math.max(t.clientWidth,120),height:e.height}),l=e.peaks.map(d=>({...d,value:a[d.series][d.sample],time:s[d.sample]})),h=new Dn({...c(),padding:[8,22,0,0],cursor:{sync:{key:"time",filters:{pub:s0,sub:s0},scales:["x",null]},drag:{x:!0,y:!1,uni:1e9},points:{size:6},bind:{dblclick:()=>()=>this.zoom(this.clock.start,this.clock.end)}},legend:{live:!0},scales:{x:{time:!1,range:(d,p,y)=>[p,y]},y:{range:e.range?()=>e.range:Iw}},axes:[r0("s",26),r0("",(d,p)=>14+6.4*Math.max(3,...(p??[]).map(y=>y.length)))],series:[{label:"time",value:(d,p)=>p==null?"":`${sn(p,5)} s`},...e.series.map((d,p)=>Rw(d,p,o,e))],bands:e.stacked?Pw(e):void 0,hooks:{setScale:[(d,p)=>p==="x"&&this.follow(d)],drawClear:[d=>Lw(d)],draw:[d=>{Dw(d,e),Nw(d,l,e)}]}},[s,...a],t),u=_t("div",{class:"now"});h.over.append(u);let f={u:h,mark:u,x:s,peaks:l,host:t,plot:e,raw:o,drawn:a,title:r};t.after(e0(f)),this.pointer(f),new ResizeObserver(()=>h.setSize(c())).observe(t),this.all.push(f)}pointer({u:t,peaks:e}){let n=null;t.over.addEventListener("mousedown",s=>n=[s.clientX,s.clientY]),t.over.addEventListener("click",s=>{if(!n||Math.hypot(s.clientX-n[0],s.clientY-n[1])>3)return;let r=t.over.getBoundingClientRect(),o=[s.clientX-r.left,s.clientY-r.top],a=l=>Math.hypot(t.valToPos(l.time,"x")-o[0],t.valToPos(l.value,"y")-o[1]),c=e.filter(l=>t.series[l.series+1].show).sort((l,h)=>a(l)-a(h))[0];this.clock.seek(c&&a(c)<Aw?c.time:t.posToVal(o[0],"x"))}),t.over.addEventListener("mouseleave",()=>this.now())}follow(t){let{min:e,max:n}=t.scales.x;this.busy||e==null||this.zoom(e,n)}zoom(t,e){this.busy=!0,this.range=[t,e];for(let{u:n}of this.all)(n.scales.x.min!==t||n.scales.x.max!==e)&&n.setScale("x",{min:t,max:e});queueMicrotask(()=>{this.busy=!1,this.now()})}now(){let{time:t}=this.clock;for(let{u:e,mark:n,x:s}of this.all){let r=t>=e.scales.x.min&&t<=e.scales.x.max;n.hidden=!r,r&&(n.style.transform=`translateX(${e.valToPos(t,"x")}px)`),(e.cursor.left==null||e.cursor.left<0)&&e.setLegend({idx:wo(s,t)},!1)}}ghosts(t){for(let{u:e,plot:n}of this.all)n.series.forEach((s,r)=>s.ghost&&e.setSeries(r+1,{show:t}))}},s0=i=>i==="mousemove"||i==="mouseleave";function Rw(i,t,e,n){let s=n.stacked&&t<n.stacked;return{label:i.label,stroke:()=>i.colour?i.colour+(i.ghost?"a6":""):on("ink"),width:i.ghost?1.25:s?1:1.75,dash:i.dash??void 0,fill:s&&t===0?`${i.colour}55`:void 0,points:{show:e[t].length<3},pxAlign:0,value:(r,o,a,c)=>c==null?"":`${sn(e[t][c])} ${i.unit}`.trim()}}function Cw(i,t){let e=new Array(i[0].length).fill(0);return i.map((n,s)=>s<t?n.map((r,o)=>e[o]+=r??0):n)}function Pw(i){let t=[];for(let e=1;e<i.stacked;e++)t.push({series:[e+1,e],fill:`${i.series[e].colour}55`});return t}function r0(i,t){return{size:t,font:'11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',stroke:()=>on("soft"),grid:{stroke:()=>on("grid"),width:1},ticks:{show:!1},gap:6,values:(e,n)=>Ff(n).map(s=>i&&s?`${s} ${i}`:s)}}function Ff(i){let t=i.filter(a=>a!=null),e=Math.abs(t[1]-t[0])||1,n=Math.max(...t.map(Math.abs)),s=n>=1e5||n<.01,r=(a,c)=>a===0?"0":s?a.toExponential(c):a.toFixed(c),o=0;for(;o<12&&t.some(a=>Math.abs(Number(r(a,o))-a)>.001*e);)o++;return i.map(a=>a==null?"":r(a,o).replace("e+","e").replaceAll("-","\u2212"))}function Iw(i,t,e){if(t==null||!Number.isFinite(t))return[-1,1];if(t===e)return t===0?[-1,1]:[t-.1*Math.abs(t),e+.1*Math.abs(e)];let n=.07*(e-t);return[t-n,e+n]}function Lw(i){i.ctx.save(),i.ctx.fillStyle=on("plot"),i.ctx.fillRect(i.bbox.left,i.bbox.top,i.bbox.width,i.bbox.height),i.ctx.restore()}function Dw(i,t){let{ctx:e,bbox:n}=i;e.save(),e.beginPath(),e.rect(n.left,n.top,n.width,n.height),e.clip();let s=[];for(let r of t.limits){let o=Math.round(i.valToPos(r.value,"y",!0));e.strokeStyle=e.fillStyle=on("fail"),e.lineWidth=devicePixelRatio,e.setLineDash([6*devicePixelRatio,4*devicePixelRatio]),e.beginPath(),e.moveTo(n.left,o),e.lineTo(n.left+n.width,o),e.stroke(),!s.some(a=>Math.abs(a-o)<12*devicePixelRatio)&&(s.push(o),e.font=`${10*devicePixelRatio}px system-ui, sans-serif`,e.textAlign="right",e.fillText(r.label,n.left+n.width-4*devicePixelRatio,o-4*devicePixelRatio))}e.restore()}function Nw(i,t,e){let{ctx:n}=i;n.save(),n.setLineDash([]);for(let s of t){let{min:r,max:o}=i.scales.x;!i.series[s.series+1].show||s.time<r||s.time>o||(n.beginPath(),n.arc(i.valToPos(s.time,"x",!0),i.valToPos(s.value,"y",!0),4*devicePixelRatio,0,2*Math.PI),n.fillStyle=on("plot"),n.strokeStyle=e.series[s.series].colour||on("ink"),n.lineWidth=2*devicePixelRatio,n.fill(),n.stroke())}n.restore()}var o0={type:"change"},Bf={type:"start"},l0={type:"end"},rh=new Yi,a0=new $n,Uw=Math.cos(70*Uu.DEG2RAD),En=new U,ti=2*Math.PI,Ae={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Of=1e-6,oh=class extends ma{constructor(t,e=null){super(t,e),this.state=Ae.NONE,this.target=new U,this.cursor=new U,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:ks.ROTATE,MIDDLE:ks.DOLLY,RIGHT:ks.PAN},this.touches={ONE:zs.ROTATE,TWO:zs.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new U,this._lastQuaternion=new On,this._lastTargetPosition=new U,this._quat=new On().setFromUnitVectors(t.up,new U(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new so,this._sphericalDelta=new so,this._scale=1,this._panOffset=new U,this._rotateStart=new qt,this._rotateEnd=new qt,this._rotateDelta=new qt,this._panStart=new qt,this._panEnd=new qt,this._panDelta=new qt,this._dollyStart=new qt,this._dollyEnd=new qt,this._dollyDelta=new qt,this._dollyDirection=new U,this._mouse=new qt,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=Ow.bind(this),this._onPointerDown=Fw.bind(this),this._onPointerUp=Bw.bind(this),this._onContextMenu=Xw.bind(this),this._onMouseWheel=Vw.bind(this),this._onKeyDown=Gw.bind(this),this._onTouchStart=Hw.bind(this),this._onTouchMove=Ww.bind(this),this._onMouseDown=kw.bind(this),this._onMouseMove=zw.bind(this),this._interceptControlDown=qw.bind(this),this._interceptControlUp=Yw.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(t){this._cursorStyle=t,t==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=Ae.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(o0),this.update(),this.state=Ae.NONE}pan(t,e){this._pan(t,e),this.update()}dollyIn(t){this._dollyIn(t),this.update()}dollyOut(t){this._dollyOut(t),this.update()}rotateLeft(t){this._rotateLeft(t),this.update()}rotateUp(t){this._rotateUp(t),this.update()}update(t=null){let e=this.object.position;En.copy(e).sub(this.target),En.applyQuaternion(this._quat),this._spherical.setFromVector3(En),this.autoRotate&&this.state===Ae.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=ti:n>Math.PI&&(n-=ti),s<-Math.PI?s+=ti:s>Math.PI&&(s-=ti),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(En.setFromSpherical(this._spherical),En.applyQuaternion(this._quatInverse),e.copy(this.target).add(En),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=En.length();o=this._clampDistance(a*this._scale);let c=a-o;this.object.position.addScaledVector(this._dollyDirection,c),this.object.updateMatrixWorld(),r=!!c}else if(this.object.isOrthographicCamera){let a=new U(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let c=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=c!==this.object.zoom;let l=new U(this._mouse.x,this._mouse.y,0);l.unproject(this.object),this.object.position.sub(l).add(a),this.object.updateMatrixWorld(),o=En.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(rh.origin.copy(this.object.position),rh.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(rh.direction))<Uw?this.object.lookAt(this.target):(a0.setFromNormalAndCoplanarPoint(this.object.up,this.target),rh.intersectPlane(a0,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Of||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Of||this._lastTargetPosition.distanceToSquared(this.target)>Of?(this.dispatchEvent(o0),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?ti/60*this.autoRotateSpeed*t:ti/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){En.setFromMatrixColumn(e,0),En.multiplyScalar(-t),this._panOffset.add(En)}_panUp(t,e){this.screenSpacePanning===!0?En.setFromMatrixColumn(e,1):(En.setFromMatrixColumn(e,0),En.crossVectors(this.object.up,En)),En.multiplyScalar(t),this._panOffset.add(En)}_pan(t,e){let n=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;En.copy(s).sub(this.target);let r=En.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/n.clientHeight,this.object.matrix),this._panUp(2*e*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),s=t-n.left,r=e-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientY),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(ti*this._rotateDelta.x/e.clientHeight),this._rotateUp(ti*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(ti*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-ti*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(ti*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-ti*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(n,s)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let n=this._getSecondPointerPosition(t),s=.5*(t.pageX+n.x),r=.5*(t.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(ti*this._rotateDelta.x/e.clientHeight),this._rotateUp(ti*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new qt,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,n={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function Fw(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function Ow(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function Bw(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(l0),this.state=Ae.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function kw(i){let t;switch(i.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case ks.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=Ae.DOLLY;break;case ks.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Ae.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Ae.ROTATE}break;case ks.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Ae.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Ae.PAN}break;default:this.state=Ae.NONE}this.state!==Ae.NONE&&this.dispatchEvent(Bf)}function zw(i){switch(this.state){case Ae.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case Ae.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case Ae.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function Vw(i){this.enabled===!1||this.enableZoom===!1||this.state!==Ae.NONE||(i.preventDefault(),this.dispatchEvent(Bf),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(l0))}function Gw(i){this.enabled!==!1&&this._handleKeyDown(i)}function Hw(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case zs.ROTATE:if(this.enableRotate===!1){this.state=Ae.NONE;break}this._handleTouchStartRotate(i),this.state=Ae.TOUCH_ROTATE;break;case zs.PAN:if(this.enablePan===!1){this.state=Ae.NONE;break}this._handleTouchStartPan(i),this.state=Ae.TOUCH_PAN;break;default:this.state=Ae.NONE}break;case 2:switch(this.touches.TWO){case zs.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=Ae.TOUCH_DOLLY_PAN;break;case zs.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=Ae.TOUCH_DOLLY_ROTATE;break;default:this.state=Ae.NONE}break;default:this.state=Ae.NONE}this.state!==Ae.NONE&&this.dispatchEvent(Bf)}function Ww(i){switch(this._trackPointer(i),this.state){case Ae.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case Ae.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case Ae.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case Ae.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=Ae.NONE}}function Xw(i){this.enabled!==!1&&i.preventDefault()}function qw(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function Yw(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var ah=class extends Ks{constructor(){super(),this.name="RoomEnvironment",this.position.y=-3.5;let t=new Us;t.deleteAttribute("uv");let e=new $i({side:Bn}),n=new $i,s=new ha(16777215,900,28,2);s.position.set(.418,16.199,.3),this.add(s);let r=new ve(t,e);r.position.set(-.757,13.219,.717),r.scale.set(31.713,28.305,28.591),this.add(r);let o=new Qs(t,n,6),a=new rn;a.position.set(-10.906,2.009,1.846),a.rotation.set(0,-.195,0),a.scale.set(2.328,7.905,4.651),a.updateMatrix(),o.setMatrixAt(0,a.matrix),a.position.set(-5.607,-.754,-.758),a.rotation.set(0,.994,0),a.scale.set(1.97,1.534,3.955),a.updateMatrix(),o.setMatrixAt(1,a.matrix),a.position.set(6.167,.857,7.803),a.rotation.set(0,.561,0),a.scale.set(3.927,6.285,3.687),a.updateMatrix(),o.setMatrixAt(2,a.matrix),a.position.set(-2.017,.018,6.124),a.rotation.set(0,.333,0),a.scale.set(2.002,4.566,2.064),a.updateMatrix(),o.setMatrixAt(3,a.matrix),a.position.set(2.291,-.756,-2.621),a.rotation.set(0,-.286,0),a.scale.set(1.546,1.552,1.496),a.updateMatrix(),o.setMatrixAt(4,a.matrix),a.position.set(-2.193,-.369,-5.547),a.rotation.set(0,.516,0),a.scale.set(3.875,3.487,2.986),a.updateMatrix(),o.setMatrixAt(5,a.matrix),this.add(o);let c=new ve(t,Eo(50));c.position.set(-16.116,14.37,8.208),c.scale.set(.1,2.428,2.739),this.add(c);let l=new ve(t,Eo(50));l.position.set(-16.109,18.021,-8.207),l.scale.set(.1,2.425,2.751),this.add(l);let h=new ve(t,Eo(17));h.position.set(14.904,12.198,-1.832),h.scale.set(.15,4.265,6.331),this.add(h);let u=new ve(t,Eo(43));u.position.set(-.462,8.89,14.52),u.scale.set(4.38,5.441,.088),this.add(u);let f=new ve(t,Eo(20));f.position.set(3.235,11.486,-12.541),f.scale.set(2.5,2,.1),this.add(f);let d=new ve(t,Eo(100));d.position.set(0,20,0),d.scale.set(1,.1,1),this.add(d)}dispose(){let t=new Set;this.traverse(e=>{e.isMesh&&(t.add(e.geometry),t.add(e.material))});for(let e of t)e.dispose()}};function Eo(i){return new nr({color:0,emissive:16777215,emissiveIntensity:i})}function c0(i,t){let e=t.get(i.palette),n=e.length/3,s=new Uint8Array(4*n).fill(255);for(let o=0;o<n;o++)s.set(e.subarray(3*o,3*o+3),4*o);let r=new Zi(s,n,1,Qn);return r.colorSpace=yn,r.minFilter=r.magFilter=Fn,r.wrapS=r.wrapT=xi,r.needsUpdate=!0,r}var lh=class{constructor(t,e,n,s,r){this.mesh=t,this.plain=t.material,this.lit=t.material.clone(),this.lit.setValues({color:"#ffffff",map:r,metalness:0,roughness:.75}),this.nodes=e.nodes,this.columns=s.get(e.columns),this.times=n.fields.map(o=>s.get(o.time)),this.codes=e.fields.map((o,a)=>Zw(s.get(o),this.times[a].length,this.nodes)),this.uv=new Se(new Float32Array(2*this.columns.length).fill(.5),2),t.geometry.setAttribute("uv",this.uv)}show(t,e){if(this.mesh.material=t<0?this.plain:this.lit,t<0)return;let n=this.times[t],s=this.codes[t],{nodes:r,columns:o,uv:a}=this,[c,l]=nh(n,e),h=c*r,u=Math.min(c+1,n.length-1)*r;for(let f=0;f<o.length;f++){let d=o[f];a.array[2*f]=((1-l)*s[h+d]+l*s[u+d]+.5)/256}a.needsUpdate=!0}};function Zw(i,t,e){let n=new Uint8Array(t*e);for(let s=0;s<e;s++){let r=0;for(let o=0;o<t;o++)r=r+i[s*t+o]&255,n[o*e+s]=r}return n}var ch=class{constructor(t,e,n){let s=n.get(e.palette),r=s.length/3,o=[];for(let c=0;c<=16;c++){let l=3*Math.round(c/16*(r-1));o.push(`rgb(${s[l]} ${s[l+1]} ${s[l+2]}) ${100*c/16}%`)}this.fields=e.fields,this.title=_t("div",{class:"title"}),this.marks=_t("div",{class:"marks"});let a=_t("div",{class:"bar"});a.style.background=`linear-gradient(to top, ${o.join(", ")})`,this.box=_t("div",{class:"scale",role:"img"},this.title,_t("div",{class:"body"},a,this.marks)),t.append(this.box)}show(t){if(this.box.hidden=t<0,t<0)return;let{label:e,unit:n,low:s,high:r}=this.fields[t];this.title.textContent=`${e} [${n}]`,this.box.setAttribute("aria-label",`${e}, ${sn(s,3)} to ${sn(r,3)} ${n} over the run`),this.marks.replaceChildren(...[1,.75,.5,.25,0].map(o=>_t("span",{},sn(s+o*(r-s),3))))}};function hh(i,t,e,n,{sun:s,up:r,half:o}){let a=Math.max(e.dot(s),0),c=o&&a>0?.12*Math.max(e.dot(o),0)**24:0,l=.3+.22*(.5+.5*e.dot(r))+.72*a,h=[n.r,n.g,n.b].map(y=>y*l+c),u=Math.min(...h),f=u<.08?u-6.25*u*u:.04;h=h.map(y=>y-f);let d=Math.max(...h),p=.24;if(d>=1-p){let y=1-p*p/(d+p-(1-p)),m=1-1/(.15*(d-y)+1);h=h.map(g=>g*y/d*(1-m)+y*m)}h.forEach((y,m)=>i[t+m]=255*(y<=.0031308?12.92*y:1.055*y**(1/2.4)-.055))}var $w=`
attribute vec3 lit;
varying vec3 paint;
#include <clipping_planes_pars_vertex>
void main() {
vec4 mvPosition = modelViewMatrix * vec4(position,1.0);
paint = lit;
gl_Position = projectionMatrix * mvPosition;
#include <clipping_planes_vertex>
}`,Jw=`
varying vec3 paint;
uniform float clear;
#include <clipping_planes_pars_fragment>
void main() {
#include <clipping_planes_fragment>
gl_FragColor = vec4(paint,clear);
}`;function h0(i,t,e,n){let s=new Zt(t),r={sun:new U(...n.sun),up:new U(...n.up),half:null},o=i.getAttribute("normal"),a=new Float32Array(3*o.count),c=new U;for(let f=0;f<o.count;f++)hh(a,3*f,c.fromBufferAttribute(o,f),s,r);i.setAttribute("lit",new Se(a.map(f=>f/255),3));let l={value:e},h=new mn({vertexShader:$w,fragmentShader:Jw,uniforms:{clear:l},clipping:!0,opacity:e,transparent:e<1,depthWrite:e>=1,side:e<1?vn:Mi});return{material:h,tell:()=>{l.value=h.opacity,h.uniformsNeedUpdate=!0}}}var kf=new Map;async function u0(i,t,e){let n=t.picture.at;kf.has(n)||kf.set(n,Kw(t,e)),i.map=await kf.get(n),i.needsUpdate=!0}async function Kw(i,t){let e=new Blob([t.get(i.picture)],{type:i.type}),n=new Gn(await createImageBitmap(e,{imageOrientation:"flipY"}));return n.flipY=!1,n.colorSpace=yn,n.wrapS=n.wrapT=Xr,n.anisotropy=4,n.needsUpdate=!0,n}var jw=`
attribute float radius;
attribute float clear;
attribute vec3 tint;
uniform float height;
varying vec3 middle;
varying vec3 paint;
varying float wide;
varying float faint;
varying vec2 depths;
#include <clipping_planes_pars_vertex>
void main() {
vec4 mvPosition = modelViewMatrix * vec4(position,1.0);
middle = mvPosition.xyz;
paint = tint;
wide = radius;
faint = clear;
depths = vec2(projectionMatrix[2][2],projectionMatrix[3][2]);
gl_Position = projectionMatrix * mvPosition;
gl_PointSize = radius > 0.0 ? height * projectionMatrix[1][1] * radius / max(-mvPosition.z,1e-6) : 0.0;
#include <clipping_planes_vertex>
}`,f0="if (faint > 0.5 && mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0) > 0.5) discard;",Qw="gl_FragDepth = 0.5 - 0.5 * (depths.x * place.z + depths.y) / place.z;",t1=`
varying vec3 middle;
varying vec3 paint;
varying float wide;
varying float faint;
varying vec2 depths;
uniform vec3 sun;
uniform vec3 up;
uniform float opacity;
#include <clipping_planes_pars_fragment>
void main() {
#include <clipping_planes_fragment>
vec2 at = vec2(2.0 * gl_PointCoord.x - 1.0,1.0 - 2.0 * gl_PointCoord.y);
float off = dot(at,at);
if (off > 1.0 || wide <= 0.0) discard;
${f0}
vec3 normal = vec3(at,sqrt(1.0 - off));
vec3 place = middle + wide * normal;
${Qw}
float bright = max(dot(normal,sun),0.0),shine = max(dot(normal,normalize(sun + vec3(0.0,0.0,1.0))),0.0);
float two = shine * shine,four = two * two,eight = four * four,glare = eight * eight * eight * step(1e-6,bright);
gl_FragColor = vec4(paint * (0.3 + 0.22 * (0.5 + 0.5 * dot(normal,up)) + 0.72 * bright) + 0.12 * glare,opacity);
#include <tonemapping_fragment>
vec3 first = sqrt(gl_FragColor.rgb),second = sqrt(first);
gl_FragColor.rgb = 0.585122381 * first + 0.783140355 * second - 0.368262736 * sqrt(second);
}`,uh=class{constructor(t,e,n,s,r,o,a){this.part=t,this.names=s.bodies,this.bones=s.bones,this.index=new Map(this.names.map((l,h)=>[l,h])),this.all=r,this.back=Array.from(this.bones,l=>o[l].clone().invert()),this.hidden=new Uint8Array(this.names.length),this.clear=new Float32Array(this.names.length);let c=e1(e);this.colours=Array.from(s.tones,l=>new Zt(s.colours[l])),c?this.makeBalls(c,n,s,a):this.makeMeshes(e,n),this.object.frustumCulled=!1,this.object.matrixAutoUpdate=this.object.matrixWorldAutoUpdate=!1}makeBalls({middle:t,radius:e},n,s,r){let o=this.names.length,a=new U(...r.up),c=new U(...r.sun);this.radius=e,this.middles=this.back.map(d=>t.clone().applyMatrix4(d)),this.centred=this.middles.every(d=>d.length()<1e-4*e);let l=new Ye;this.places=new Se(new Float32Array(3*o),3),this.radii=new Se(new Float32Array(o).fill(e),1),this.faint=new Se(this.clear,1),l.setAttribute("position",this.places),l.setAttribute("radius",this.radii),l.setAttribute("clear",this.faint),l.setAttribute("tint",new Se(new Float32Array(this.colours.flatMap(d=>d.toArray())),3));let h={height:{value:1},sun:{value:new U},up:{value:new U},opacity:{value:n.opacity}},u=new mn({vertexShader:jw,fragmentShader:t1,uniforms:h,clipping:!0,transparent:n.transparent,depthWrite:n.depthWrite});this.shader=u,this.fine=new er(l,u),this.fine.frustumCulled=!1;let f=new Me;this.fine.onBeforeRender=(d,p,y)=>{h.height.value=d.getCurrentViewport(f).w,h.sun.value.copy(c).transformDirection(y.matrixWorldInverse),h.up.value.copy(a).transformDirection(y.matrixWorldInverse),u.uniformsNeedUpdate=!0},this.object=new pn().add(this.fine),!n.transparent&&(this.tones=s.tones,this.paints=s.colours.map(d=>new Zt(d)))}hurry(t){this.hurried=t,this.paints&&(this.quick=t&&!this.plane&&!this.clear.some(e=>e>0),this.fine.visible=!this.quick)}makeMeshes(t,e){e.color.set("#ffffff"),this.object=new Qs(t,e,this.names.length),this.colours.forEach((n,s)=>this.object.setColorAt(s,n)),this.faint=new js(this.clear,1),t.setAttribute("clear",this.faint),e.onBeforeCompile=n=>{n.vertexShader=`attribute float clear;
varying float faint;
${n.vertexShader}`.replace("#include <begin_vertex>",`#include <begin_vertex>
faint = clear;`),n.fragmentShader=`varying float faint;
${n.fragmentShader}`.replace("#include <clipping_planes_fragment>",`#include <clipping_planes_fragment>
${f0}`)}}pose(){let t=new U,e=new Yt;for(let n=0;n<this.names.length;n++){let s=this.all[this.bones[n]].matrixWorld;this.places?t.copy(this.middles[n]).applyMatrix4(s).toArray(this.places.array,3*n):this.object.setMatrixAt(n,this.hidden[n]?e.makeScale(0,0,0):e.copy(s).multiply(this.back[n]))}this.places?this.places.needsUpdate=!0:this.object.instanceMatrix.needsUpdate=!0}look(t,e){let n=this.index.get(t);n!==void 0&&(this.hidden[n]=e==="hidden"?1:0,this.clear[n]=e==="clear"?1:0,this.faint.needsUpdate=!0,this.hurry(this.hurried),this.radii?(this.radii.array[n]=this.hidden[n]?0:this.radius,this.radii.needsUpdate=!0):this.pose())}cut(t){this.plane=t,(this.shader??this.object.material).clippingPlanes=t?[t]:null,this.hurry(this.hurried)}cast(t){let e=(a,c,l)=>({point:c,distance:l,body:this.names[a],bone:this.bones[a]});if(!this.places)return t.intersectObject(this.object,!1).map(a=>e(a.instanceId,a.point,a.distance));let n=[],s=new U,{origin:r,direction:o}=t.ray;for(let a=0;a<this.names.length;a++){if(this.hidden[a])continue;let c=s.fromArray(this.places.array,3*a).sub(r).dot(o),l=this.radius**2-(s.lengthSq()-c**2);if(c<=0||l<0)continue;let h=c-Math.sqrt(l);n.push(e(a,r.clone().addScaledVector(o,h),h))}return n}};function e1(i){let t=i.getAttribute("position"),e=i.getIndex(),n=new U;i.computeBoundingBox();let s=i.boundingBox.getCenter(new U),r=1/0,o=0,a=1/0;for(let l=0;l<t.count;l++){let h=n.fromBufferAttribute(t,l).distanceTo(s);r=Math.min(r,h),o=Math.max(o,h)}let c=new U;for(let l=0;l+2<e.count;l+=3){n.set(0,0,0);for(let h=0;h<3;h++)n.addScaledVector(c.fromBufferAttribute(t,e.getX(l+h)),1/3);a=Math.min(a,n.distanceTo(s))}return o-r<.002*o&&a>.85*o?{middle:s,radius:o}:null}var fh=class{constructor(t,e,n,s,r=!1){this.name=t.name,this.ghost=n,this.poses=new eh(t,e),this.group=new pn,this.bones=t.bones.parent.map(()=>p0(new Qr)),this.bound=n1(t,e),this.rigid=[],this.piles=[],this.replay=s,this.many=r,this.bodies=new Map,this.links=[],this.linked=!0,this.carriers=new Set,this.coloured=[],this.pictures=[],this.field=-1;let o=t.fields?c0(t,e):null;for(let a of t.parts)this.add(a,e,t,o);this.some=null}spare(t,e,n){let{parent:s,elastic:r,order:o}=this.poses,a=new Uint8Array(s.length);for(let l of this.piles)if(l.gliding=!!(t&&l.quick&&l.centred&&l.bones.every(h=>s[h]<=0&&!r[h])),l.gliding)for(let h of l.bones)a[h]=1;let c=e.arrows.flatMap(l=>[l.bone,...l.darts?.bones??[]]);for(let l of[0,...n,...c,...s,...this.carriers])l>=0&&(a[l]=0);this.some=a.includes(1)?o.filter(l=>!a[l]):null}add(t,e,n,s){let r=t.bones?e.get(t.bones):null,o=t.bones?e.get(t.weights):null,a=r?[...new Set(r)]:[t.bone],c=a.length>1,l=i1(t,e,c?r:null,o,a),u=this.many&&!this.ghost&&!n.tint&&t.kind==="world"&&!c&&!t.picture&&!t.copies&&h0(l,t.colour,t.opacity,this.replay),f=u?u.material:s1(t,this.ghost,n.tint,this.many);if(t.picture&&this.pictures.push(u0(f,t,e)),t.copies){let{bodies:y,colours:m}=t.copies,g=e.get(t.copies.tones),M={bodies:y,colours:m,tones:g,bones:e.get(t.copies.bones)},A=new uh(t,l,f,M,this.bones,this.bound,this.replay);this.piles.push(A),this.group.add(A.object);return}for(let y of a)this.carriers.add(y);let d;if(c){d=new jo(l,f);let y=new Qo(a.map(m=>this.bones[m]),a.map(m=>this.bound[m].clone().invert()));d.bind(y,new Yt),d.frustumCulled=!1}else d=new ve(l,f),this.rigid.push([d,a[0]??0,this.bound[a[0]??0].clone().invert()]);u&&(d.onBeforeRender=u.tell),t.kind==="link"&&this.links.push([d,t.shown?e.get(t.shown):null]),d.castShadow=!this.ghost&&t.kind!=="world"&&t.opacity>.6,d.receiveShadow=!this.ghost,d.userData.part=t,this.ghost&&(d.renderOrder=2),t.fields&&s&&this.coloured.push(d.userData.coloured=new lh(d,t,n,e,s)),d.userData.bone=a[0]??0;let p=this.bodies.get(t.body)??[];this.bodies.set(t.body,[...p,d]),this.group.add(p0(d))}names(){return[...this.bodies.keys(),...this.piles.flatMap(t=>t.names)]}look(t,e){for(let n of this.piles)n.look(t,e);for(let n of this.bodies.get(t)??[]){n.userData.hidden=e==="hidden",n.visible=!n.userData.hidden;for(let s of d0(n)){s.userData.own??={opacity:s.opacity,transparent:s.transparent,depthWrite:s.depthWrite};let r={opacity:.22*s.userData.own.opacity,transparent:!0,depthWrite:!1};Object.assign(s,e==="clear"?r:s.userData.own),s.needsUpdate=!0}n.userData.casts??=n.castShadow,n.castShadow=n.userData.casts&&e===""}}cut(t){for(let e of this.piles)e.cut(t);for(let e of[...this.bodies.values()].flat())for(let n of d0(e)){n.userData.side??=n.side,n.clippingPlanes=t?[t]:null;let s=t?vn:n.userData.side;s!==n.side&&(n.needsUpdate=!0),n.side=s}}cast(t){let e=this.piles.flatMap(n=>n.cast(t));for(let[n,s]of this.bodies)for(let r of s)if(r.visible)for(let{point:o,distance:a}of t.intersectObject(r,!1))e.push({point:o,distance:a,body:n,bone:r.userData.bone});return e.sort((n,s)=>n.distance-s.distance)}connect(t){let e=wo(this.poses.times,t);for(let[n,s]of this.links)n.visible=this.linked&&!n.userData.hidden&&(!s||s[e]===1)}pose(t,e){let n=this.poses.at(t,e,this.some);for(let s of this.some??this.poses.order)Ba(this.bones[s].matrixWorld.elements,n,s*7);for(let s of this.coloured)s.show(this.field,t);for(let s of this.piles)this.some&&s.gliding?this.poses.spots(t,s.bones,s.places.array):s.pose();this.links.length&&this.connect(t);for(let[s,r,o]of this.rigid)s.matrixWorld.copy(this.bones[r].matrixWorld).multiply(o)}};function d0(i){return i.userData.coloured?[i.userData.coloured.plain,i.userData.coloured.lit]:[i.material]}function p0(i){return i.matrixAutoUpdate=!1,i.matrixWorldAutoUpdate=!1,i}function n1(i,t){let e=t.get(i.bones.bound);return i.bones.parent.map((n,s)=>{let r=new Yt;return Ba(r.elements,e,s*7),r})}function i1(i,t,e,n,s){let r=new Ye;if(r.setAttribute("position",new Se(t.quantised(i.vertices),3)),r.setIndex(new Se(t.summed(i.faces),1)),e){let o=new Map(s.map((h,u)=>[h,u])),a=n.length,c=new Uint16Array(4*a),l=new Float32Array(4*a);for(let h=0;h<a;h++)c[4*h]=o.get(e[2*h]),c[4*h+1]=o.get(e[2*h+1]),l[4*h]=n[h]/65535,l[4*h+1]=1-l[4*h];r.setAttribute("skinIndex",new Se(c,4)),r.setAttribute("skinWeight",new Se(l,4))}return i.uv&&r.setAttribute("uv",new Se(t.quantised(i.uv),2)),r.computeVertexNormals(),r}function s1(i,t,e,n){let s=new Zt(i.colour);e&&s.lerp(new Zt(e),t?.85:.6);let r=t?.3*i.opacity:i.opacity,o={roughness:i.roughness??(i.kind==="contact"?.45:.5),metalness:t?0:i.metalness??.25};return new(n?nr:$i)({color:s,...n?{}:o,transparent:r<1,opacity:r,depthWrite:r>=1,polygonOffset:t,polygonOffsetFactor:2,polygonOffsetUnits:4,side:r<1&&!t?vn:Mi})}var m0=[[1e9,"GPa"],[1e6,"MPa"],[1e3,"kPa"],[1,"Pa"]];function g0(i,t,e){let{count:n,highest:s}=i,r=t.get(i.palette),o=t.get(i.tone),a=t.get(i.radius),c=t.channels(i.point),l=t.channels(i.normal),h=t.channels(i.along),u=new Yt,f=new U,d=new U,p=new U,y=Array.from({length:n},()=>{let M={transparent:!0,opacity:e?.3:.9,depthTest:!1,depthWrite:!1,side:vn,toneMapped:!1},A=new ve(new ia(1,40),new jr({color:new Zt,...M}));return A.renderOrder=4,A});return{meshes:y,pose:(M,A,v,R)=>{y.forEach((T,x)=>{let E=M*n+x,B=a[E];if(T.visible=A&&B>0,!T.visible)return;R(T.position.fromArray(c,3*E)),f.fromArray(l,3*E).normalize();let L=d.fromArray(h,3*E).addScaledVector(f,-f.dot(d)).length();L<.5*B&&(d.set(...Math.abs(f.x)<.9?[1,0,0]:[0,1,0]).cross(f),L=B),p.crossVectors(f,d.normalize()),T.quaternion.setFromRotationMatrix(u.makeBasis(d,p,f)),T.scale.set(Math.max(L,v),Math.max(B**2/L,v),1);let[D,k,V]=r.subarray(3*o[E],3*o[E]+3);T.material.color.setRGB(D/255,k/255,V/255,yn)})},words:M=>{let A=0;for(let T=0;T<n;T++)A=Math.max(A,o[M*n+T]/255*s);let[v,R]=m0.find(([T])=>A>=T)??m0.at(-1);return`${sn(A/v,3)} ${R}`}}}var r1=new U(0,1,0),_0=["#ff5a36","#ffb000","#e0409a","#35c4b5"],dh=class{constructor(t,e,n,s,r,o=0){this.actor=t,this.reach=s,this.scale=1,this.visible=!0,this.group=new pn,this.times=n.get(e.samples),this.items=e.arrows.map((a,c)=>{let l=_0[(c+o)%_0.length],h=_t("span",{class:"tag force"});h.style.setProperty("--tag",l),r.append(h);let u={name:a.name,bone:a.bone,reference:a.reference,label:h,mesh:y0(x0(l,t.ghost)),point:n.channels(a.point),force:n.get(a.force),active:n.get(a.active),sizes:n.get(a.size),at:new U,patches:a.patches&&g0(a.patches,n,t.ghost),darts:a.darts&&o1(a.darts,n,l,t.ghost)};return this.group.add(u.mesh,...u.darts?.meshes??[],...u.patches?.meshes??[]),u})}pose(t){let e=wo(this.times,t);for(let n of this.items){let s=new U().fromArray(n.force,3*e),r=new U().fromArray(n.point,3*e),o=s.length(),a=n.sizes[e];n.value=n.active[e]?a:0;let c=this.visible&&n.active[e]&&o>.001*n.reference;n.mesh.visible=!!c,n.shown=n.mesh.visible&&!this.actor.ghost,n.darts&&this.poseDarts(n,e,c),n.patches&&n.patches.pose(e,this.visible,.025*this.reach,l=>this.follow(n.bone,l)),c&&(n.darts||(this.follow(n.bone,r),this.place(n.mesh,r,s,this.reach*this.scale*Math.min(a/n.reference,3),.05*this.reach),n.at.copy(r).addScaledVector(s.normalize(),n.mesh.userData.length)),n.label.textContent=n.patches?`${sn(a)} N, ${n.patches.words(e)}`:`${sn(a)} N`,n.label.title=n.name)}}poseDarts(t,e,n){let{darts:s}=t,r=s.meshes.length,o=0;t.mesh.children.forEach(a=>a.visible=!1),s.meshes.forEach((a,c)=>{let l=new U().fromArray(s.force,3*(e*r+c)),h=l.length();if(a.visible=!!n&&h>.01*s.reference,!a.visible)return;let u=new U().fromArray(s.point,3*(e*r+c));this.follow(s.bones[c],u),this.place(a,u,l,.8*this.reach*this.scale*h/s.reference,.02*this.reach),h>o&&t.at.copy(u).addScaledVector(l.normalize(),a.userData.length),o=Math.max(o,h)})}place(t,e,n,s,r){let[o,a]=t.children,c=Math.min(6*r,.45*s);o.scale.set(r,s-c,r),a.scale.set(2.6*r,c,2.6*r),a.position.set(0,s-c,0),t.userData.length=s,t.position.copy(e),t.quaternion.setFromUnitVectors(r1,n.clone().normalize())}follow(t,e){if(t<0)return;let{world:n,shown:s}=this.actor.poses,r=new Float64Array(7),o=new Float64Array(7),a=new Float64Array(3);Oa(r,0,n,7*t),vs(o,0,s,7*t,r,0),th(a,0,o,0,e.x,e.y,e.z),e.set(a[0]+o[0],a[1]+o[1],a[2]+o[2])}};function o1(i,t,e,n){let s=x0(e,n);s.setValues({transparent:!0,opacity:n?.3:.85,depthTest:!1,depthWrite:!1});let r=i.bones.map(()=>y0(s));for(let o of r)o.children.forEach(a=>a.renderOrder=5);return{...i,meshes:r,point:t.channels(i.point),force:t.channels(i.force)}}function x0(i,t){let e={color:i,emissive:i,emissiveIntensity:.55,roughness:.5};return new $i(t?{...e,transparent:!0,opacity:.4,depthWrite:!1}:e)}function y0(i){let t=new ve(new no(.5,.5,1,20).translate(0,.5,0),i),e=new ve(new sa(.5,1,28).translate(0,.5,0),i),n=new pn;return n.add(t,e),n}var a1=`
varying vec2 place;
void main() { place = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,l1=`
varying vec2 place;
uniform float pitch,reach;
uniform vec3 ink;
float lines(vec2 p) {
vec2 width = fwidth(p);
vec2 near = abs(fract(p - 0.5) - 0.5) / width;
return (1.0 - min(min(near.x,near.y),1.0)) * (1.0 - smoothstep(0.2,0.6,max(width.x,width.y)));
}
void main() {
float fade = 1.0 - smoothstep(0.25 * reach,reach,length(place));
float alpha = 0.16 * lines(place / pitch) + 0.22 * lines(place / (5.0 * pitch));
gl_FragColor = vec4(ink,alpha * fade);
}`,c1=`
varying vec2 place;
uniform float reach;
uniform vec3 ink;
void main() { gl_FragColor = vec4(ink, 0.22 * (1.0 - smoothstep(0.25 * reach, reach, length(place)))); }`;function v0(i,t,e,n){let s=10**Math.floor(Math.log10(e/8)),r=[1,2,5,10].map(h=>h*s).find(h=>h>=e/12),o=1.6*e,a=new mn({vertexShader:a1,fragmentShader:l1,uniforms:{pitch:{value:r},reach:{value:o},ink:{value:new Zt}},transparent:!0,depthWrite:!1,side:vn}),c=new pn;if(c.quaternion.copy(new On().setFromUnitVectors(new U(0,0,1),t)),c.position.copy(i),c.userData.ink=a.uniforms.ink.value,c.userData.pitch=r,n)return c.add(h1(r,o,a)),c;let l=new ra({opacity:.22});for(let[h,u]of[[l,-20],[a,-10]]){let f=new ve(new ds(2*o,2*o),h);f.renderOrder=u,f.receiveShadow=h===l,c.add(f)}return l.depthWrite=!1,c}function h1(i,t,e){let n=Math.floor(t/i),s=[];for(let c=-n;c<=n;c++){let l=c*i,h=Math.sqrt(Math.max(t**2-l**2,0));s.push(l,-h,0,l,h,0,-h,l,0,h,l,0)}let r=new Ye().setAttribute("position",new tn(s,3)),o=e.clone();o.uniforms.ink=e.uniforms.ink,o.fragmentShader=c1;let a=new tr(r,o);return a.renderOrder=-10,a}var zf=4096,u1=8,Kn=64,Gf=18,Vf=16e3,f1=.02,d1=`
in vec2 corner;
uniform vec4 box;
uniform vec2 size;
out vec2 at;
out vec2 depths;
void main() {
at = mix(box.xy,box.zw,corner);
depths = vec2(projectionMatrix[2][2],projectionMatrix[3][2]);
gl_Position = vec4(2.0 * at / size - 1.0,0.0,1.0);
}`,p1=`
uniform highp usampler2D look;
uniform vec2 distances;
in vec2 at;
in vec2 depths;
out vec4 colour;
void main() {
uint told = texelFetch(look,ivec2(at),0).r;
if (told == 0u) discard;
#ifdef DEEP
float away = distances.x + distances.y * float(told >> ${Gf}u);
gl_FragDepth = 0.5 - 0.5 * depths.x + 0.5 * depths.y / away;
#endif
colour = vec4(vec3(told >> 12u & 63u,told >> 6u & 63u,told & 63u) / 63.0,1.0);
}`,ph=class{constructor(t,e,n,s){let r=t.reduce((c,l)=>c+l.names.length,0);Object.assign(this,{piles:t,sun:e,up:n}),this.looks=t.map(c=>new Int32Array(Kn*Kn*c.paints.length)),this.towards=new Float64Array(10),this.seen={x:new Float32Array(r),y:new Float32Array(r),wide:new Float32Array(r),away:new Float32Array(r),power:new Float32Array(r),bin:new Uint16Array(r)},this.pile=new Uint16Array(r),this.tone=new Uint16Array(r);let o=0;t.forEach((c,l)=>{this.pile.fill(l,o,o+c.names.length),this.tone.set(c.tones,o),o+=c.names.length}),this.starts=new Uint32Array(zf+1),this.order=new Uint32Array(r),this.mask=new Uint8Array(0),this.size=new qt(0,0),this.material=new mn({vertexShader:d1,fragmentShader:p1,glslVersion:Ea,uniforms:{look:{value:null},box:{value:new Me},size:{value:this.size},distances:{value:new qt}},toneMapped:!1,...s?{depthTest:!1,depthWrite:!1,transparent:!0,blending:ps}:{defines:{DEEP:1},depthFunc:Hr}});let a=new Ye;a.setAttribute("corner",new Se(new Float32Array([0,0,1,0,0,1,1,1]),2)),a.setIndex([0,1,2,2,1,3]),this.object=new ve(a,this.material),this.object.visible=!1,this.object.frustumCulled=!1,this.object.renderOrder=-1,this.object.matrixAutoUpdate=this.object.matrixWorldAutoUpdate=!1}prepare(t,e,n){this.resize(e,n);let{radius:s,low:r,high:o}=this.project(t);this.sort();let a=this.count=this.uncover(Math.max(1,2*s/u1)),c=2**Math.ceil(Math.log2(Math.max(o-r,1e-9)));this.light(t,Vf/c),this.paint(a,r,Vf/c),this.material.uniforms.distances.value.set(r,c/Vf),this.material.uniformsNeedUpdate=!0}resize(t,e){this.size.x===t&&this.size.y===e||(this.size.set(t,e),this.words=new Int32Array(t*e),this.picture?.dispose(),this.picture=new Zi(new Uint32Array(this.words.buffer),t,e,co,ci),this.picture.internalFormat="R32UI",this.picture.unpackAlignment=4,this.material.uniforms.look.value=this.picture,this.rows=[0,0])}project(t){let{seen:e,size:n}=this,s=t.matrixWorldInverse.elements,r=.5*n.y*t.projectionMatrix.elements[5],o=1/0,a=0,c=1/0,l=-1/0,h=0,u=0,f=-1;for(let{places:p,radius:y,hidden:m,quick:g,names:M}of this.piles){let A=p.array;for(let v=0;v<M.length;v++){let R=A[3*v],T=A[3*v+1],x=A[3*v+2],E=-(s[2]*R+s[6]*T+s[10]*x+s[14]);if(e.wide[++f]=0,!g||m[v]||E<t.near+y||E>t.far)continue;let B=r/E,L=y*B,D=s[0]*R+s[4]*T+s[8]*x+s[12],k=s[1]*R+s[5]*T+s[9]*x+s[13],V=.5*n.x+B*D,I=.5*n.y+B*k;if(V<-L||I<-L||V>n.x+L||I>n.y+L)continue;e.x[f]=V,e.y[f]=I,e.wide[f]=L,e.away[f]=E;let G=e.power[f]=D*D+k*k+E*E-y*y;G<c&&(c=G),G>l&&(l=G),E-y<o&&(o=E-y),E>a&&(a=E),h+=L,u++}}this.inside=u;let d=(zf-1)/Math.max(l-c,1e-12);for(let p=0;p<=f;p++)e.wide[p]>0&&(e.bin[p]=(e.power[p]-c)*d);return{radius:h/Math.max(u,1),low:u?o:0,high:u?a:1}}sort(){let{seen:t,starts:e,order:n}=this,s=n.length;e.fill(0);for(let r=0;r<s;r++)t.wide[r]>0&&e[t.bin[r]+1]++;for(let r=0;r<zf;r++)e[r+1]+=e[r];for(let r=0;r<s;r++)t.wide[r]>0&&(n[e[t.bin[r]]++]=r)}uncover(t){let{order:e,seen:n,size:s}=this,r=Math.ceil(s.x/t),o=Math.ceil(s.y/t);this.mask.length<r*o&&(this.mask=new Uint8Array(r*o)),this.mask.fill(0,0,r*o);let a=0;for(let c=0;c<this.inside;c++){let l=e[c];this.shows(n.x[l]/t,n.y[l]/t,n.wide[l]/t,r,o)&&(e[a++]=l)}return a}shows(t,e,n,s,r){let{mask:o}=this,a=n<1,c=Math.max(0,Math.ceil(e-n-.5)),l=Math.min(r-1,Math.floor(e+n-.5));for(let h=c;h<=l;h++){let u=h+.5-e,f=Math.sqrt(Math.max(n*n-u*u,0)),d=h*s+Math.min(s-1,Math.floor(t+f-.5));for(let p=h*s+Math.max(0,Math.ceil(t-f-.5));p<=d;p++)o[p]===0&&(o[p]=1,a=!0)}return a}light(t,e){let n=t.matrixWorldInverse.elements,s=[0,1,2,4,5,6,8,9,10].map(h=>n[h]).concat(e);if(s.every((h,u)=>Math.abs(h-this.towards[u])<f1))return;this.towards.set(s);let r=this.sun.clone().transformDirection(t.matrixWorldInverse),o=this.up.clone().transformDirection(t.matrixWorldInverse),a={sun:r,up:o,half:r.clone().add(new U(0,0,1)).normalize()},c=new U,l=new Float64Array(3);for(let h=0;h<Kn;h++)for(let u=0;u<Kn;u++){c.set((2*u+1)/Kn-1,(2*h+1)/Kn-1,0);let f=c.lengthSq();f<1?c.z=Math.sqrt(1-f):c.normalize(),this.piles.forEach(({paints:d,radius:p},y)=>{let m=Math.floor(p*e*c.z)<<Gf;d.forEach((g,M)=>{hh(l,0,c,g,a);let[A,v,R]=l.map(T=>Math.min(63,Math.round(T*63/255)));this.looks[y][(M*Kn+h)*Kn+u]=(A<<12|v<<6|R)-m})})}}paint(t,e,n){let{words:s,seen:r,order:o,pile:a,tone:c,looks:l,size:h}=this,u=h.x,f=h.y;s.fill(0,this.rows[0]*u,this.rows[1]*u);let d=u,p=0,y=f,m=0;for(let M=t-1;M>=0;M--){let A=o[M],v=r.x[A],R=r.y[A],T=r.wide[A],x=l[a[A]],E=c[A]*Kn*Kn,B=2+Math.floor((r.away[A]-e)*n)<<Gf,L=Kn/(2*T),D=Math.floor(L*65536),k=Math.max(0,Math.ceil(R-T-.5)),V=Math.min(f-1,Math.floor(R+T-.5));for(let I=k;I<=V;I++){let G=I+.5-R,Y=Math.sqrt(Math.max(T*T-G*G,0)),H=Math.max(0,Math.ceil(v-Y-.5)),at=Math.min(u-1,Math.floor(v+Y-.5)),$=E+Kn*Math.min(Kn-1,.5*Kn+L*G|0),j=(.5*Kn+L*(H+.5-v))*65536|0;for(let nt=I*u+H,ut=I*u+at;nt<=ut;nt++)s[nt]=B+x[$+(j>>16)]|0,j+=D;H<d&&(d=H),at>p&&(p=at)}k<y&&(y=k),V>m&&(m=V)}let g=d>p||y>m;this.material.uniforms.box.value.set(...g?[0,0,0,0]:[d,y,p+1,m+1]),this.rows=g?[0,0]:[y,m+1],this.picture.needsUpdate=!0}};var m1=[[.85,.27,.23],[.25,.66,.42],[.26,.53,.96]],mh=class{constructor(t,e,n,s,r){this.actor=t,this.overlay=r,this.group=new pn,this.names=!1,this.all=!1,this.picked=null,this.geometry=g1(.05*s),this.material=new Ns({vertexColors:!0,depthTest:!1,transparent:!0});let o=n.get(e.frames.pose);this.items=e.frames.name.map((a,c)=>{let l=new Yt;return Ba(l.elements,o,7*c),{name:a,bone:e.frames.bone[c],local:l,matrix:new Yt,at:new U,shown:!1,lines:null,label:null}}),this.known=new Map(this.items.map(a=>[a.name,a])),this.group.visible=!1}reveal(t){this.all=t,this.group.visible=t||this.picked!==null;for(let e of this.items){let n=t||e===this.picked;n&&!e.lines&&(e.lines=this.draw()),e.lines&&(e.lines.visible=n)}}draw(){let t=new tr(this.geometry,this.material);return t.matrixAutoUpdate=t.matrixWorldAutoUpdate=!1,t.frustumCulled=!1,t.renderOrder=10,this.group.add(t),t}pose(t,e=!1){let n=this.names||this.all||e?this.items:[this.picked,t].filter(Boolean);for(let s of n)s.bone<0?s.matrix.copy(s.local):s.matrix.copy(this.actor.bones[s.bone].matrixWorld).multiply(s.local),s.at.setFromMatrixPosition(s.matrix),s.lines?.matrixWorld.copy(s.matrix);if(!(!this.names&&!this.named)){this.named=this.names;for(let s of this.items)s.shown=this.names,this.names&&!s.label&&this.overlay.append(s.label=_t("span",{class:"tag name"},s.name))}}find(t){return this.known.get(t)}};function g1(i){let t=[],e=[];m1.forEach((s,r)=>{let o=[0,0,0];o[r]=i,t.push(0,0,0,...o),e.push(...s,...s)});let n=new Ye;return n.setAttribute("position",new Se(new Float32Array(t),3)),n.setAttribute("color",new Se(new Float32Array(e),3)),n}var _1=`
varying vec2 place;
void main() { place = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }`,x1=`
precision highp float;
varying vec2 place;
uniform mat4 unproject;
uniform vec3 centre,sun;
float hash(vec3 p) {
p = fract(p * vec3(0.1031,0.1030,0.0973));
p += dot(p,p.yxz + 33.33);
return fract((p.x + p.y) * p.z);
}
float noise(vec3 p) {
vec3 i = floor(p),f = fract(p);
f = f * f * (3.0 - 2.0 * f);
vec2 e = vec2(0.0,1.0);
return mix(
mix(mix(hash(i),hash(i + e.yxx),f.x),mix(hash(i + e.xyx),hash(i + e.yyx),f.x),f.y),
mix(mix(hash(i + e.xxy),hash(i + e.yxy),f.x),mix(hash(i + e.xyy),hash(i + e.yyy),f.x),f.y),f.z);
}
float layers(vec3 p) {
float sum = 0.0,size = 0.5;
for (int i = 0; i < 5; i++) { sum += size * noise(p); p = p * 2.13 + 7.1; size *= 0.5; }
return sum;
}
vec3 stars(vec3 way) {
vec3 light = vec3(0.0);
for (int layer = 0; layer < 2; layer++) {
vec3 p = way * (layer == 0 ? 60.0 : 130.0);
vec3 cell = floor(p);
float h = hash(cell + float(layer) * 17.0);
vec3 at = cell + 0.25 + 0.5 * vec3(hash(cell + 3.1),hash(cell + 5.7),hash(cell + 9.2));
float off = length(p - at);
float bright = step(0.93,h) * (0.25 + 0.75 * fract(h * 371.0));
float width = layer == 0 ? 0.055 : 0.085;
light += bright * smoothstep(width,0.0,off) * mix(vec3(1.0,0.86,0.72),vec3(0.75,0.86,1.0),fract(h * 97.0));
}
float band = layers(way * 3.0) * exp(-12.0 * pow(dot(way,normalize(vec3(0.3,0.5,0.8))),2.0));
return light + vec3(0.020,0.022,0.034) * band * 2.0;
}
vec3 ground(vec3 normal) {
float land = smoothstep(0.50,0.56,layers(normal * 5.0 + 2.0));
float relief = layers(normal * 34.0);
vec3 sea = mix(vec3(0.010,0.045,0.120),vec3(0.020,0.100,0.190),relief);
vec3 soil = mix(vec3(0.085,0.120,0.055),vec3(0.300,0.240,0.150),smoothstep(0.35,0.65,relief));
float swirl = layers(normal * 9.0 + 1.7 * vec3(layers(normal * 4.0),layers(normal * 4.0 + 5.0),0.0));
float cloud = smoothstep(0.47,0.72,0.62 * swirl + 0.42 * layers(normal * 46.0));
return mix(mix(sea,soil,land),vec3(0.86,0.89,0.93),0.9 * cloud);
}
void main() {
vec4 far = unproject * vec4(place,1.0,1.0);
vec3 way = normalize(far.xyz / far.w);
float along = dot(way,centre),distance2 = dot(centre,centre);
float nearest = sqrt(max(distance2 - along * along,0.0));
vec3 light;
if (along > 0.0 && nearest < 1.0) {
float reach = along - sqrt(1.0 - nearest * nearest);
vec3 normal = normalize(way * reach - centre);
float day = smoothstep(-0.12,0.45,dot(normal,sun));
float slant = 1.0 - max(dot(normal,-way),0.0);
vec3 haze = vec3(0.30,0.56,0.95);
vec3 mirror = reflect(way,normal);
float glint = pow(max(dot(mirror,sun),0.0),24.0);
light = ground(normal) * (0.012 + 1.10 * day) + glint * vec3(0.30,0.26,0.18) * day;
light = mix(light,haze * (0.02 + 0.85 * day),0.18 + 0.72 * pow(slant,3.2));
} else {
light = stars(way);
}
if (along > 0.0) {
float height = nearest - 1.0;
vec3 edge = normalize(way * along - centre);
float day = smoothstep(-0.25,0.4,dot(edge,sun));
float glow = height > 0.0 ? exp(-height * 95.0) : exp(height * 60.0) * 0.55;
light += smoothstep(0.0,0.4,along) * day * glow * mix(vec3(0.16,0.42,1.0),vec3(0.62,0.82,1.0),exp(-abs(height) * 420.0));
}
gl_FragColor = vec4(pow(clamp(light,0.0,1.0),vec3(1.0 / 2.2)),1.0);
}`;function S0(i,t){let e=new U(...i.direction).multiplyScalar(1+i.altitude/i.earth_radius),n=new mn({vertexShader:_1,fragmentShader:x1,uniforms:{unproject:{value:new Yt},centre:{value:e},sun:{value:t.clone().normalize()}},depthTest:!1,depthWrite:!1,toneMapped:!1}),s=new ve(new ds(2,2),n);s.frustumCulled=!1,s.renderOrder=-1e3;let r=new Yt;return s.onBeforeRender=(o,a,c)=>{r.extractRotation(c.matrixWorld),n.uniforms.unproject.value.multiplyMatrices(r,c.projectionMatrixInverse),n.uniformsNeedUpdate=!0},s}var y1=.036,v1=1e3;function M0(){let i=document.createElement("canvas").getContext("webgl2");return i?.getExtension("WEBGL_lose_context")?.loseContext(),i!==null}function S1(){let i=document.createElement("canvas").getContext("webgl2",{failIfMajorPerformanceCaveat:!0});if(!i)return!0;let t=i.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL??i.RENDERER,e=i.getParameter(t);return i.getExtension("WEBGL_lose_context")?.loseContext(),/swiftshader|llvmpipe|softpipe|software|basic render/i.test(e)}var gh=class{constructor(t,e,n){let{replay:s}=e;this.host=t,this.replay=s,this.scenes=e.scenes,this.factor=s.magnify,this.time=NaN,this.heard=[],this.plane=null,this.slow=0,this.hurried=!1,this.shows={frames:!1,ghost:!0,inset:!1,swap:!1,follow:s.follow>=0},this.canvas=_t("canvas",{tabindex:"0",role:"img","aria-label":"3-D replay; drag to turn, wheel to zoom"}),this.overlay=_t("div",{class:"tags","aria-hidden":"true"}),t.append(this.canvas,this.overlay),this.many=e.scenes.some(o=>o.parts.some(a=>(a.copies?.bodies.length??0)>=v1)),this.fineness=this.rest=this.many?1.5:1,this.renderer=new Uc({canvas:this.canvas,antialias:!this.many,alpha:!0}),this.renderer.autoClear=!1,this.renderer.setClearColor(0,0),this.renderer.toneMapping=ga,this.renderer.localClippingEnabled=!0,this.renderer.shadowMap.enabled=!0,this.renderer.shadowMap.type=sr,this.renderer.shadowMap.autoUpdate=!1,this.scene=new Ks,this.actors=e.scenes.map(o=>new fh(o,n,o.ghost,s,this.many)),this.arrows=e.scenes.map((o,a)=>new dh(this.actors[a],o,n,s.size*.16,this.overlay,a?2:0)),this.marks=new mh(this.actors[0],e.scenes[0],n,s.size,this.overlay);for(let o of[...this.actors,...this.arrows,this.marks])this.scene.add(o.group);this.scale=e.scenes[0].fields?new ch(t,e.scenes[0],n):null,this.light(),this.addHeap(),this.addCameras();let r=()=>this.dirty=!0;Promise.allSettled(this.actors.flatMap(o=>o.pictures)).then(r),ih(()=>this.retheme()),this.retheme(),new ResizeObserver(()=>this.resize()).observe(t),this.controls.addEventListener("change",r),this.resize(),this.preset("Overview")}light(){let{replay:t,scene:e}=this,n=new U(...t.up),[s,r]=t.box.map(f=>new U(...f)),o=s.clone().add(r).multiplyScalar(.5),a=.6*s.distanceTo(r),c=new U(...t.sun),l=new fa("#fff4e6",t.orbit?3.2:2);l.position.copy(o).addScaledVector(c,3*a),l.target.position.copy(o),l.castShadow=this.actors.every(f=>f.piles.length===0),l.shadow.mapSize.set(2048,2048),l.shadow.radius=4,l.shadow.normalBias=.004*a,l.shadow.bias=-4e-4;let h=1.25*a;Object.assign(l.shadow.camera,{left:-h,right:h,top:h,bottom:-h,near:a,far:6*a});let u=new aa(t.orbit?"#1b2434":"#ffffff",t.orbit?"#6fa4e8":"#b9b4ad",.6);if(u.position.copy(n),e.add(l,l.target,u,new da("#ffffff",t.orbit?.12:.25)),!this.many){let f=new uo(this.renderer);e.environment=f.fromScene(new ah,.04).texture,e.environmentIntensity=t.orbit?.3:.34,f.dispose()}t.orbit?e.add(S0(t.orbit,c)):t.floor&&(this.floor=v0(new U(...t.floor),n,t.size,this.many),e.add(this.floor)),this.host.classList.toggle("space",!!t.orbit)}addHeap(t=this.many){let e=this.actors.flatMap(s=>s.piles).filter(s=>s.paints);if(!t||!e.length||!S1())return;let n=this.actors.some((s,r)=>s.ghost||s.bodies.size||s.piles.length>e.length||this.arrows[r].items.length);this.heap=new ph(e,new U(...this.replay.sun),new U(...this.replay.up),!n&&!this.replay.orbit),this.scene.add(this.heap.object)}addCameras(){let{size:t,up:e}=this.replay;this.camera=new Un(34,1,.004*t,60*t),this.camera.up.set(...e),this.controls=new oh(this.camera,this.canvas),this.controls.enableDamping=!0,this.controls.dampingFactor=.12,this.controls.maxDistance=20*t,this.controls.minDistance=.02*t,this.hand=new Un(60,4/3,.002*t,60*t),this.rider=this.marks.find(this.replay.camera)??null,this.shows.inset=this.rider!==null,this.frame=_t("button",{class:"inset",type:"button",title:"Swap the pictures"}),this.frame.addEventListener("click",()=>this.show({swap:!this.shows.swap})),this.host.append(this.frame)}retheme(){this.floor&&this.floor.userData.ink.set(ka()?"#aab7c8":"#334155"),this.dirty=!0}resize(){let t=Math.max(this.host.clientWidth,2),e=Math.max(this.host.clientHeight,2);this.renderer.setPixelRatio(Math.min(Math.min(devicePixelRatio,2)*this.fineness,2)),this.renderer.setSize(t,e,!1),this.camera.aspect=t/e,this.camera.updateProjectionMatrix(),this.dirty=!0}preset(t){if(_m(this.camera,this.controls.target,Bc(this.replay)[t],this.replay.points),this.shows.follow&&this.followed){let e=this.followed.clone().sub(new U(...this.replay.home));this.camera.position.add(e),this.controls.target.add(e)}this.controls.update(),this.dirty=!0}show(t){if(Object.assign(this.shows,t),t.forces!==void 0)for(let e of this.arrows)e.visible=t.forces;if(t.links!==void 0)for(let e of this.actors)e.linked=t.links;if(t.names!==void 0&&(this.marks.names=t.names),t.arrowScale!==void 0)for(let e of this.arrows)e.scale=t.arrowScale;t.field!==void 0&&(this.actors[0].field=t.field,this.scale?.show(t.field)),t.factor!==void 0&&(this.factor=t.factor),t.camera!==void 0&&(this.rider=this.marks.find(t.camera)??null),this.stale=!0}pace(t,e){if(this.slow=e?.85*this.slow+.15*Math.min(t,.5):0,this.heap&&e!==this.hurried){this.hurried=e,this.host.classList.toggle("hurried",e);for(let r of this.heap.piles)r.hurry(e);this.stale=!0}let n=Math.min(this.fineness,1),s=e?this.slow>y1?Math.max(.5,n-.25):n:this.rest;s!==this.fineness&&(this.fineness=s,this.slow=0,this.resize())}onPose(t){this.heard.push(t)}redraw(){this.dirty=!0}cut(t){this.plane=t;for(let e of this.actors)e.cut(t);this.dirty=!0}aim(t,e){this.controls.enableDamping=!1,this.controls.update(),this.camera.position.copy(t),this.controls.target.copy(e),this.controls.update(),this.controls.enableDamping=!0,this.aimed=!0,this.dirty=!0}pose(t){if(!(t===this.time&&!this.stale)){this.time=t,this.stale=!1,this.spare(),this.actors.forEach((e,n)=>{e.group.visible=!e.ghost||this.shows.ghost,e.pose(t,this.factor),this.arrows[n].pose(t),this.arrows[n].group.visible=e.group.visible}),this.marks.reveal(this.shows.frames),this.marks.pose(this.rider),this.follow();for(let e of this.heard)e();this.dirty=!0}}spare(){let{names:t,all:e,picked:n}=this.marks,s=!!(this.hurried&&!t&&!e&&!n&&!this.shows.frames&&!this.picking),r=`${s} ${this.rider?.bone} ${this.heap?.piles.map(a=>a.quick)}`;if(!this.heap||r===this.spared)return;this.spared=r;let o=[this.replay.follow,this.rider?.bone??-1];this.actors.forEach((a,c)=>a.spare(s,this.scenes[c],o))}follow(){let t=this.actors[0].bones[Math.max(this.replay.follow,0)],e=new U().setFromMatrixPosition(t.matrixWorld);if(this.shows.follow&&this.followed){let n=e.clone().sub(this.followed);this.camera.position.add(n),this.controls.target.add(n)}this.followed=e}render(){if(this.controls.update(),!this.dirty)return;this.dirty=!1;let{renderer:t,scene:e,host:n}=this,s=n.clientWidth,r=n.clientHeight,o=this.shows.inset&&this.rider!==null;this.rider&&xm(this.hand,this.rider.matrix);let a=o&&this.shows.swap,c=a?this.hand:this.camera,l=a?this.camera:this.hand;if(t.shadowMap.needsUpdate=!0,t.setScissorTest(!1),t.setViewport(0,0,s,r),t.clear(),this.draw(c,s,r),this.placeLabels(c,s,r),this.frame.hidden=!o,!o)return;let h=this.frame,u=h.offsetLeft,f=h.offsetWidth,d=h.offsetHeight,p=r-h.offsetTop-d;t.setScissorTest(!0),t.setScissor(u,p,f,d),t.setViewport(u,p,f,d),t.clear(),this.arrows.forEach(y=>y.group.visible=!1),this.draw(l,f,d),this.arrows.forEach((y,m)=>y.group.visible=this.actors[m].group.visible),h.dataset.label=a?"overview":this.rider.name}draw(t,e,n){let s=e/n,r=this.renderer.getPixelRatio();t.aspect!==s&&(t.aspect=s,t.updateProjectionMatrix()),t.updateMatrixWorld(),this.heap&&(this.heap.object.visible=this.heap.piles.some(o=>o.quick)),this.heap?.object.visible&&this.heap.prepare(t,Math.round(r*e),Math.round(r*n)),this.renderer.render(this.scene,t)}placeLabels(t,e,n){let s=new U,r=[],o=[...this.arrows.map(a=>[a.items,a.group.visible]),[this.marks.items,!0]];for(let[a,c]of o)for(let l of a){if(!l.label)continue;s.copy(l.at).project(t);let h=c&&l.shown&&Math.abs(s.z)<1&&Math.abs(s.x)<1&&Math.abs(s.y)<1;if(l.label.hidden=!h,!h)continue;let u=(s.x+1)/2*e,f=(1-s.y)/2*n;for(;r.some(([d,p])=>Math.abs(d-u)<90&&Math.abs(p-f)<17);)f+=6;r.push([u,f]),l.label.style.transform=`translate(${u.toFixed(1)}px, ${f.toFixed(1)}px)`}}shoot(t){this.dirty=!0,this.render();let[e,n]=[this.canvas.width,this.canvas.height],s=_t("canvas",{width:e,height:n}),r=s.getContext("2d"),o=getComputedStyle(this.host),a=r.createLinearGradient(0,0,0,n);["--stage-top","--stage-low"].map(l=>o.getPropertyValue(l).trim()).forEach((l,h)=>a.addColorStop(h,this.replay.orbit?"#05070d":l||"#ffffff")),r.fillStyle=a,r.fillRect(0,0,e,n),r.drawImage(this.canvas,0,0),s.toBlob(t,"image/png")}picture(){return this.resize(),this.render(),this.canvas.toDataURL("image/png")}};var M1=28,_h=class{constructor(t){this.stage=t,this.mode="",this.points=[],this.frame=null,this.changed=()=>{},this.group=new pn;let e={depthTest:!1,transparent:!0};this.places=new Se(new Float32Array(6),3);let n=new Ye().setAttribute("position",this.places);this.dots=new er(n,new eo({color:"#ff2d92",size:9,sizeAttenuation:!1,...e})),this.line=new to(n,new Ns({color:"#ff2d92",...e}));for(let o of[this.dots,this.line])o.frustumCulled=!1,o.renderOrder=20,this.group.add(o);t.scene.add(this.group),t.onPose(()=>this.place()),this.place();let s=null,{canvas:r}=t;r.addEventListener("pointerdown",o=>s=[o.clientX,o.clientY]),r.addEventListener("pointerup",o=>{if(!this.mode||!s||Math.hypot(o.clientX-s[0],o.clientY-s[1])>4)return;let a=r.getBoundingClientRect();this.pick(o.clientX-a.left,o.clientY-a.top)}),r.addEventListener("keydown",o=>{!this.mode||o.key!=="Enter"||(o.preventDefault(),this.pick(r.clientWidth/2,r.clientHeight/2))})}start(t){this.mode=t,this.stage.host.classList.toggle("picking",!!t),t==="measure"&&(this.points=[]),this.stage.picking=!!t||this.points.length>0,this.place(),this.stage.show({})}choose(t){let{marks:e}=this.stage;this.frame=t?e.find(t)??null:null,e.picked=this.frame,this.changed(),this.stage.show({})}pick(t,e){let{stage:n}=this,{clientWidth:s,clientHeight:r}=n.canvas,o=new qt(2*t/s-1,1-2*e/r);if(this.mode==="frame"){n.marks.pose(null,!0);let c=({at:h})=>{let u=h.clone().project(n.camera);return u.z<1?Math.hypot((u.x-o.x)*s/2,(u.y-o.y)*r/2):1/0},l=[...n.marks.items].sort((h,u)=>c(h)-c(u))[0];l&&c(l)<M1&&this.choose(l.name);return}let a=this.hit(o);a&&(this.points.length===2&&(this.points=[]),this.points.push(a),this.place(),this.changed(),n.redraw())}hit(t){let{stage:e}=this,n=e.actors[0],s=new pa;s.setFromCamera(t,e.camera);let r=e.plane,o=n.cast(s).find(({point:c})=>!r||r.distanceToPoint(c)>=0);if(!o)return null;let a=new Yt().copy(n.bones[o.bone].matrixWorld).invert();return{bone:o.bone,body:o.body,local:o.point.clone().applyMatrix4(a)}}world({bone:t,local:e}){return e.clone().applyMatrix4(this.stage.actors[0].bones[t].matrixWorld)}place(){this.points.forEach((t,e)=>this.world(t).toArray(this.places.array,3*e)),this.places.needsUpdate=!0,this.dots.geometry.setDrawRange(0,this.points.length),this.dots.visible=this.points.length>0,this.line.visible=this.points.length===2}words(){let t=[],e=1e-6*this.stage.replay.size,n=o=>o.toArray().map(a=>sn(Math.abs(a)<e?0:a,5)).join(", "),[s,r]=this.points.map(o=>this.world(o));if(this.mode==="measure"&&!s&&t.push("Pick two points."),s&&t.push(`${this.points[0].body}: (${n(s)}) m`),r&&t.push(`${this.points[1].body}: (${n(r)}) m`,`distance ${sn(r.distanceTo(s),5)} m, along x, y, z (${n(r.clone().sub(s))}) m`),this.mode==="frame"&&!this.frame&&t.push("Pick a frame."),this.frame){let o=new U,a=new On,c=new U;this.frame.matrix.decompose(o,a,c);let{w:l,x:h,y:u,z:f}=a,d=[Math.atan2(2*(l*h+u*f),1-2*(h*h+u*u)),Math.asin(Math.max(-1,Math.min(1,2*(l*u-f*h)))),Math.atan2(2*(l*f+h*u),1-2*(u*u+f*f))].map(p=>sn(180/Math.PI*p,4));t.push(`${this.frame.name}: (${n(o)}) m; roll, pitch, yaw (${d.join(", ")})\xB0`)}return t.join(`
`)}};var Hf=200,b0={x:[1,0,0],y:[0,1,0],z:[0,0,1]};function w0(i,t,e){let n=b1(i),s=w1(i),r=E1(i,t),o=T1(i,t,{bodies:n,cut:s,read:r}),c=_t("div",{class:"group"},_t("button",{type:"button",class:"chip",id:"shoot",onclick:()=>i.shoot(h=>Df(Nf(`${e}-${t.time.toFixed(3)}-s`,"png"),h))},"Save picture"),_t("button",{type:"button",class:"chip",id:"bookmark",onclick:o.write},"Link to this view"),o.told),l=_t("details",{class:"tools"},_t("summary",{},"Bodies, section, measuring"),_t("div",{class:"tool-grid"},n.box,_t("div",{},s.box,r.box,c)));return o.apply(),addEventListener("hashchange",o.apply),l}function b1(i){let t=[...new Set(i.actors.flatMap(h=>h.names()))].filter(h=>h!=="world"),e=new Map,n=_t("ul",{class:"bodies"}),s=(h,u)=>{u?e.set(h,u):e.delete(h);for(let f of i.actors)f.look(h,u);i.redraw()},r=()=>{let h=t.filter(u=>u.toLowerCase().includes(a.value.toLowerCase()));n.replaceChildren(...h.slice(0,Hf).map(u=>o(u))),h.length>Hf&&n.append(_t("li",{},`and ${h.length-Hf} more; look for a name`))},o=h=>{let u=(d,p)=>{let y=_t("button",{type:"button",class:"chip","data-state":d,"aria-label":`${p}: ${h}`,"aria-pressed":String(e.get(h)===d)},p);return y.addEventListener("click",()=>{s(h,e.get(h)===d?"":d);for(let m of f.querySelectorAll("button"))m.setAttribute("aria-pressed",String(e.get(h)===m.dataset.state))}),y},f=_t("li",{"data-body":h},_t("span",{},h),u("hidden","Hide"),u("clear","Clear"));return f},a=_t("input",{type:"search",placeholder:"Find a body","aria-label":"Find a body",oninput:()=>r()}),c=_t("button",{type:"button",class:"chip",onclick:()=>l([])},"Show all"),l=h=>{for(let u of t)e.has(u)&&s(u,"");for(let[u,f]of h)t.includes(u)&&s(u,f);r()};return r(),{box:_t("div",{},_t("div",{class:"group"},a,c),n),states:e,write:l}}function w1(i){let[t,e]=i.replay.box.map(l=>new U(...l)),n=_t("select",{id:"cut","aria-label":"Section plane"});for(let[l,h]of[["","none"],...Object.keys(b0).flatMap(u=>[[u,`across ${u}`],[`-${u}`,`across \u2212${u}`]])])n.append(_t("option",{value:l},h));let s=_t("input",{type:"range",min:"0",max:"1",step:"0.001",value:"0.5","aria-label":"Place of the section"}),r=_t("output",{}),o=()=>{let l=b0[n.value.at(-1)];if(s.disabled=!l,r.textContent="",!l)return i.cut(null);let h=new U(...l),u=t.dot(h),f=e.dot(h),d=u-.05*(f-u)+1.1*(f-u)*Number(s.value);r.textContent=`${sn(d,3)} m`;let p=n.value.startsWith("-")?-1:1;i.cut(new $n(h.clone().multiplyScalar(-p),p*d))};n.addEventListener("change",o),s.addEventListener("input",o),o();let a=l=>{[n.value,s.value]=l.split(":").length===2?l.split(":"):["","0.5"],o()};return{box:_t("div",{class:"group sliders"},_t("label",{},_t("span",{},"Section"),n),_t("label",{},s,r)),read:()=>n.value?`${n.value}:${s.value}`:"",write:a}}function E1(i,t){let e=new _h(i),n=_t("output",{class:"told",id:"told","aria-live":"polite"}),s={},r=()=>n.textContent=e.words();for(let[c,l,h]of[["measure","Measure","Click two points; with the picture in focus, Enter picks its middle"],["frame","Pick a frame","Click near a frame; with the picture in focus, Enter picks its middle"]]){let u=_t("button",{type:"button",class:"chip",id:c,title:h,"aria-pressed":"false"},l);u.addEventListener("click",()=>{e.start(e.mode===c?"":c);for(let[f,d]of Object.entries(s))d.setAttribute("aria-pressed",String(e.mode===f));r()}),s[c]=u}let o=_t("select",{id:"frame-choice","aria-label":"Frame whose coordinates are read out"},_t("option",{value:""},"no frame"));for(let{name:c}of i.marks.items)o.append(_t("option",{value:c},c));return o.addEventListener("change",()=>e.choose(o.value)),e.changed=()=>{o.value=e.frame?.name??"",r()},i.onPose(r),{box:_t("div",{},_t("div",{class:"group"},s.measure,s.frame,o),n),picker:e}}function T1(i,t,{bodies:e,cut:n,read:s}){let r=_t("output",{class:"told","aria-live":"polite"}),o=l=>l.toArray().map(h=>Number(h.toPrecision(6))).join(",");return{told:r,write:()=>{let l=new URLSearchParams({eye:o(i.camera.position),to:o(i.controls.target),t:String(Number(t.time.toFixed(6)))});for(let u of["hidden","clear"])for(let[f,d]of e.states)d===u&&l.append(u,f);n.read()&&l.set("cut",n.read()),s.picker.frame&&l.set("frame",s.picker.frame.name),location.hash=l.toString();let h=navigator.clipboard?.writeText(location.href);r.textContent="The address of this page now leads here.",h?.then(()=>r.textContent="The address of this page now leads here; it is copied.",()=>{})},apply:()=>{let l=new URLSearchParams(location.hash.slice(1)),h=["eye","to"].map(f=>(l.get(f)??"").split(",").map(Number));if(h.some(f=>f.length!==3||!f.every(Number.isFinite)))return;let u=Number(l.get("t"));l.has("t")&&Number.isFinite(u)&&t.seek(u),i.aim(...h.map(f=>new U(...f))),e.write(["hidden","clear"].flatMap(f=>l.getAll(f).map(d=>[d,f]))),n.write(l.get("cut")??""),s.picker.choose(l.get("frame")??"")}}}async function A1(){jg(document.getElementById("theme"));let{data:i,arrays:t}=await cd(),e=new Wa(i.start,i.end);e.speed=Sm(i.end-i.start);let n=new sh(i,t,e);i.first!=null&&e.seek(i.first);let s=R1(i,t,e,n);s?.many&&(e.wait=.12),P1(e),I1(e,s);let r=performance.now(),o=a=>{e.advance((a-r)/1e3),s?.pace((a-r)/1e3,e.playing),r=a,s&&(s.pose(e.time),s.render()),requestAnimationFrame(o)};requestAnimationFrame(o),window.jourdain={clock:e,plots:n,stage:s},document.documentElement.dataset.ready="true"}function R1(i,t,e,n){let s=document.getElementById("stage");if(!s)return null;let r=document.getElementById("controls");if(r.append(Mm(e,i.moments)),!i.scenes.length)return null;if(!M0())return document.getElementById("no-webgl").hidden=!1,null;let o=new gh(s,i,t);s.classList.add("live"),r.append(bm(o,i,(c,l)=>c==="ghost"&&n.ghosts(l))),r.append(w0(o,e,document.title)),C1(s,e);let a=document.getElementById("still");return addEventListener("beforeprint",()=>a.src=o.picture()),o}function C1(i,t){let e=_t("button",{class:"big",type:"button","aria-label":"Play",onclick:()=>t.play()},Ar("play")),n=_t("button",{class:"full",type:"button","aria-label":"Full screen",title:"Full screen"},Ar("full")),s=i.closest(".replay");n.addEventListener("click",()=>document.fullscreenElement?document.exitFullscreen():s.requestFullscreen()),i.append(e,n);let r=!1;t.listen(()=>{r||=t.playing||t.time>t.start,e.hidden=r})}function P1(i){document.addEventListener("click",t=>{let e=t.target.closest("[data-time]");if(e){i.play(!1),i.seek(Number(e.dataset.time));for(let n of document.querySelectorAll(".jump.here"))n.classList.remove("here");e.classList.add("here")}});for(let t of document.querySelectorAll("button[data-time]"))t.disabled=!1}function I1(i,t){let e=(i.end-i.start)/200,n={" ":()=>i.play(!i.playing),ArrowLeft:()=>i.seek(i.time-e),ArrowRight:()=>i.seek(i.time+e),Home:()=>i.seek(i.start),End:()=>i.seek(i.end)};for(let[s,r]of["Overview","Front","Side","Top"].entries())n[s+1]=()=>t?.preset(r);addEventListener("keydown",s=>{let{target:r}=s,o=/^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY|A)$/.test(r.tagName),a=r.type==="range"&&s.key===" ";s.ctrlKey||s.metaKey||s.altKey||!(s.key in n)||o&&!a||(s.key==="Home"||s.key==="End")&&r!==t?.canvas||(s.preventDefault(),n[s.key]())})}A1();})();
