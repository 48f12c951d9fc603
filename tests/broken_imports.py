"""A sound URDF and a sound MJCF file, and ways to break them: each change with words that the mistake must have.

An entry is (format, old, new, words). The line that must be named is that of the first difference, where the words do
not speak of something else in the file: those entries end with "anywhere".
"""

from __future__ import annotations

URDF = """\
<?xml version="1.0"?>
<robot name="small arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">
    <inertial><origin xyz="0 0 0.05" rpy="0 0 0"/><mass value="4.0"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial>
    <visual><geometry><cylinder radius="0.1" length="0.1"/></geometry><material name="grey"/></visual>
  </link>
  <link name="upper">
    <inertial><origin xyz="0.25 0 0" rpy="0.1 0.2 0.3"/><mass value="2.0"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="0.041"/></inertial>
    <visual><origin xyz="0.25 0 0"/><geometry><mesh filename="package://small/link.stl" scale="0.5 0.1 0.1"/></geometry></visual>
    <collision name="upper skin"><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.05 0.05"/></geometry></collision>
  </link>
  <link name="fore">
    <inertial><origin xyz="0.2 0 0"/><mass value="1.0"/>
      <inertia ixx="0.001" ixy="0.0001" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
    <collision><geometry><sphere radius="0.04"/></geometry></collision>
  </link>
  <link name="finger"><inertial><mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial></link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.1" rpy="0 0 0.5"/><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-2.0" upper="2.0" effort="50" velocity="3"/><dynamics damping="0.5" friction="0.1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0.5 0 0"/><parent link="upper"/><child link="fore"/><axis xyz="0 1 0"/><limit effort="20" velocity="3"/>
  </joint>
  <joint name="slide" type="prismatic">
    <origin xyz="0.4 0 0"/><parent link="fore"/><child link="finger"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.05" effort="5" velocity="0.1"/>
  </joint>
  <joint name="mount" type="fixed"><parent link="finger"/><child link="tool"/><origin xyz="0.02 0 0"/></joint>
  <transmission name="drive"><type>SimpleTransmission</type><joint name="shoulder"/>
    <actuator name="motor"><mechanicalReduction>100</mechanicalReduction><rotorInertia>2e-5</rotorInertia></actuator>
  </transmission>
</robot>
"""

MJCF = """\
<mujoco model="small arm">
  <compiler angle="degree" autolimits="true" meshdir="meshes"/>
  <option gravity="0 0 -9.81"/>
  <default>
    <joint damping="0.1" armature="0.01"/>
    <default class="thin"><geom size="0.02" density="800"/></default>
  </default>
  <asset><mesh name="wedge" file="wedge.stl" scale="0.1 0.1 0.1"/></asset>
  <include file="parts.xml"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <site name="mark" pos="1 0 0"/>
    <body name="upper" pos="0 0 0.5" childclass="thin">
      <joint name="pan" axis="0 0 1" range="-90 90"/>
      <joint name="tilt" axis="0 1 0" pos="0 0 0.02" ref="10" stiffness="2" springref="5"/>
      <geom name="bar" type="capsule" fromto="0 0 0 0.4 0 0"/>
      <site name="tip" pos="0.4 0 0" euler="0 90 0"/>
      <body name="fore" pos="0.4 0 0" quat="1 0 0 0">
        <joint name="elbow" axis="0 1 0" frictionloss="0.05"/>
        <geom type="box" size="0.1 0.02 0.02" pos="0.1 0 0" axisangle="1 0 0 30"/>
        <geom type="mesh" mesh="wedge" pos="0.2 0 0"/>
        <body name="ball" pos="0.3 0 0" xyaxes="1 0 0 0 1 0">
          <joint name="wrist" type="ball" damping="0" armature="0"/>
          <inertial pos="0 0 0.01" mass="0.2" diaginertia="1e-4 1e-4 1e-4"/>
        </body>
      </body>
    </body>
    <body name="box" pos="1 0 1"><freejoint name="free"/><geom type="ellipsoid" size="0.1 0.2 0.05" zaxis="1 1 0"/></body>
  </worldbody>
  <actuator>
    <motor name="pan motor" joint="pan" gear="50" ctrlrange="-1 1"/>
    <position name="elbow servo" joint="elbow" kp="20" kv="2"/>
  </actuator>
</mujoco>
"""

PARTS = """\
<mujoco>
  <worldbody><body name="post" pos="2 0 0"><geom type="cylinder" size="0.05 0.5"/></body></worldbody>
</mujoco>
"""

ANYWHERE = "anywhere"
U, M = "urdf", "mjcf"

CHANGES: list[tuple[str, ...]] = [
    # what XML can do to a reader
    (U, '<?xml version="1.0"?>\n', '<?xml version="1.0"?>\n<!DOCTYPE robot [<!ENTITY a "ha">]>\n', "document type"),
    (U, '<?xml version="1.0"?>\n', '<?xml version="1.0"?>\n<!DOCTYPE robot SYSTEM "http://example.org/x.dtd">\n', "document type"),
    (U, '<?xml version="1.0"?>\n', '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n', "document type"),
    (M, '<mujoco model="small arm">', '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<mujoco model="&b;">', "document type"),
    (M, '<mujoco model="small arm">', '<!DOCTYPE m [<!ENTITY % p SYSTEM "p.dtd"> %p;]><mujoco model="small arm">', "document type"),
    (U, 'name="small arm"', 'name="&lol;"', "undefined entity"),
    (U, "<link name=\"tool\"/>", "<link name=\"tool\">&xxe;</link>", "undefined entity"),
    (U, '<?xml version="1.0"?>', '<?xml version="1.0" encoding="utf-7"?>', "encoding"),
    (U, '<?xml version="1.0"?>', '<?xml version="1.0" encoding="cp500"?>', "encoding"),
    (U, '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-99"?>', "is not read"),
    (U, '<?xml version="1.0"?>', f'<?xml version="1.0" encoding="UTF{"9" * 400}"?>', "unknown encoding"),
    (U, '<?xml version="1.0"?>', '<?xml version="1.0" encoding="zlib_codec"?>', "encoding"),
    (U, '<?xml version="1.0"?>\n', '<?xml version="1.0"?>\n<?xml-stylesheet href="http://example.org/x.xsl"?>\n', "instruction"),
    (M, "<compiler angle", "<?php system('ls')?><compiler angle", "instruction"),
    (U, "</robot>", "", "no element found"),
    (U, '<link name="tool"/>', '<link name="tool">', "mismatched tag", ANYWHERE),
    (U, 'axis xyz="0 0 1"/>', "axis xyz=0 0 1/>", "not well-formed"),
    (U, 'radius="0.04"', 'radius="0.04" radius="0.05"', "duplicate attribute"),
    (U, '<mass value="2.0"/>', '<mass value="2.0<"/>', "not well-formed"),
    (M, 'model="small arm"', 'model="small & arm"', "not well-formed"),
    (M, "</mujoco>", "</mujoco><mujoco/>", "junk after document element"),
    (U, "<robot name", "<sdf name", "mismatched tag", ANYWHERE),
    (M, "<mujoco model", "<mujoko model", "mismatched tag", ANYWHERE),
    # numbers
    (U, 'mass value="2.0"', 'mass value="two"', "finite number"),
    (U, 'mass value="2.0"', 'mass value="nan"', "finite number"),
    (U, 'mass value="2.0"', 'mass value="1e999"', "finite number"),
    (U, 'mass value="2.0"', 'mass value="-2.0"', "at least 0"),
    (U, 'mass value="2.0"', 'mass value="1_000"', "finite number"),
    (U, 'mass value="2.0"', 'mass value=""', "give 1 number"),
    (U, 'mass value="2.0"', 'mass val="2.0"', '"value" is missing'),
    (U, '<mass value="2.0"/>', "", "<mass", ANYWHERE),
    (U, 'ixx="0.002"', 'ixx="0.2"', "no body can have"),
    (U, 'ixx="0.002"', 'ixx="-0.002"', "no body can have"),
    (U, 'ixx="0.002" ', "", '"ixx" is missing'),
    (U, 'iyy="0.04"', 'iyy="0,04"', "finite number"),
    (U, 'xyz="0.25 0 0" rpy="0.1 0.2 0.3"', 'xyz="0.25 0" rpy="0.1 0.2 0.3"', "give 3 numbers"),
    (U, 'rpy="0 0 0.5"', 'rpy="0 0 0.5 1"', "give 3 numbers"),
    (U, 'rpy="0 0 0.5"', 'rpy="0 0 inf"', "finite number"),
    (U, 'size="0.5 0.05 0.05"', 'size="0.5 0.05"', "give 3 numbers"),
    (U, 'size="0.5 0.05 0.05"', 'size="0.5 -0.05 0.05"', "negative length"),
    (U, 'sphere radius="0.04"', 'sphere radius="-1"', "at least 0"),
    (U, 'cylinder radius="0.1" length="0.1"', 'cylinder radius="0.1"', '"length" is missing'),
    (U, 'rgba="0.5 0.5 0.5 1"', 'rgba="0.5 0.5 0.5"', "give 4 numbers"),
    (U, 'damping="0.5"', 'damping="-0.5"', "at least 0"),
    (U, 'friction="0.1"', 'friction="much"', "finite number"),
    (U, 'lower="-2.0" upper="2.0"', 'lower="2.0" upper="-2.0"', "low one comes first"),
    (U, 'effort="50"', 'effort="-50"', "at least 0"),
    (U, '<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>', "length 0"),
    (U, "<rotorInertia>2e-5<", "<rotorInertia>-2e-5<", "at least 0"),
    (U, "<mechanicalReduction>100<", "<mechanicalReduction>one hundred<", "give 1 number"),
    (U, 'scale="0.5 0.1 0.1"', 'scale="0.5"', "give 3 numbers"),
    # names and the tree
    (U, '<link name="fore">', '<link name="upper">', "there already"),
    (U, '<joint name="elbow"', '<joint name="shoulder"', "there already"),
    (U, '<link name="fore">', "<link>", '"name" is missing'),
    (U, 'type="revolute"', 'type="hinge"', "there are"),
    (U, 'joint name="elbow" type="continuous"', 'joint name="elbow"', '"type" is missing'),
    (U, '<parent link="upper"/>', '<parent link="uper"/>', 'did you mean "upper"', ANYWHERE),
    (U, '<parent link="upper"/>', "", "<parent", ANYWHERE),
    (U, '<child link="fore"/>', "<child/>", '"link" is missing'),
    (U, '<parent link="base"/><child link="upper"/>', '<parent link="tool"/><child link="upper"/>', "circle", ANYWHERE),
    (U, '<parent link="base"/><child link="upper"/>', '<parent link="upper"/><child link="upper"/>', "circle", ANYWHERE),
    (U, '<parent link="finger"/><child link="tool"/>', '<parent link="finger"/><child link="upper"/>', "no loops", ANYWHERE),
    (U, '<parent link="finger"/><child link="tool"/>', '<parent link="base"/><child link="base"/>', "circle", ANYWHERE),
    (U, '<link name="tool"/>', '<link name="tool"/><link name="lost"/>', "child of no joint"),
    (U, '<link name="tool"/>', '<link name="tool"><inertial><mass value="1"/></inertial><inertial><mass value="1"/></inertial></link>', "second <inertial>"),
    (U, '<mass value="0.1"/>', '<mass value="0"/>', "nothing gives inertia", ANYWHERE),
    (U, '<limit lower="-2.0" upper="2.0" effort="50" velocity="3"/>', "", "<limit> is missing", ANYWHERE),
    (U, '<joint name="shoulder"/>', '<joint name="sholder"/>', 'did you mean "shoulder"'),
    (U, '<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic joint="slid"/>', 'did you mean "slide"'),
    (U, '<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic joint="slide"/>', "mimics itself"),
    (U, '<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><axis xyz="0 1 0"/>', "second <axis>"),
    (U, '<box size="0.5 0.05 0.05"/>', '<box size="0.5 0.05 0.05"/><sphere radius="1"/>', "one in each"),
    (U, "<geometry><sphere radius=\"0.04\"/></geometry>", "", "<geometry> is missing"),
    # files
    (U, "package://small/link.stl", "../link.stl", "leads out"),
    (U, "package://small/link.stl", "/etc/passwd", "not relative"),
    (U, "package://small/link.stl", "file:///etc/passwd", "not relative"),
    (U, "package://small/link.stl", "http://example.org/link.stl", "nothing is fetched"),
    (U, "package://small/link.stl", "package://small/../../link.stl", "leads out"),
    (U, "package://small/link.stl", "package://other/link.stl", "is not known"),
    (U, "package://small/link.stl", "package:///", "no package"),
    (U, "package://small/link.stl", "package://../link.stl", "no package"),
    (U, "package://small/link.stl", "package://small/link.obj", "no such file"),
    (U, "package://small/link.stl", "package://small/outside.stl", "leads out"),
    (U, "package://small/link.stl", "package://small/away/link.stl", "leads out"),
    (U, "package://small/link.stl", "package://small", "not relative"),
    (U, "package://small/link.stl", "package://small/.", "is a folder"),
    (U, "package://small/link.stl", "package://small/pipe.stl", "not a plain file"),
    (U, "package://small/link.stl", "package://small/notes.txt", "mesh file of type"),
    (U, "package://small/link.stl", "package://small/broken.stl", "not an STL file"),
    (U, "package://small/link.stl", "package://small/bomb.dae", "document type"),
    (U, "package://small/link.stl", "package://small/short.obj", "face corner"),
    (U, "package://small/link.stl", "~/link.stl", "nothing is fetched"),
    (U, "package://small/link.stl", "", '"filename" is missing'),
    (U, "package://small/link.stl", "..\\\\link.stl", "no name of a file"),
    # what is not carried over
    (U, '<link name="tool"/>', '<link name="tool"/><gazebo reference="tool"/>', "gazebo is not carried over"),
    (U, '<dynamics damping="0.5" friction="0.1"/>', '<safety_controller k_velocity="1"/>', "safety_controller is not carried"),
    (U, 'damping="0.5"', 'damping="0.5" stiction="2"', "dynamics.stiction is not carried"),
    (U, '<sphere radius="0.04"/>', '<heightmap file="x.png"/>', "heightmap is not carried over"),
    # MJCF: numbers
    (M, 'gravity="0 0 -9.81"', 'gravity="0 0 down"', "finite number"),
    (M, 'gravity="0 0 -9.81"', 'gravity="-9.81"', "give 3 numbers"),
    (M, 'pos="0 0 0.5"', 'pos="0 0"', "give 3 numbers"),
    (M, 'quat="1 0 0 0"', 'quat="0 0 0 0"', "length 0"),
    (M, 'quat="1 0 0 0"', 'quat="1 0 0"', "give 4 numbers"),
    (M, 'quat="1 0 0 0"', 'quat="1 0 0 0" euler="0 0 0"', "give one of them"),
    (M, 'xyaxes="1 0 0 0 1 0"', 'xyaxes="1 0 0 2 0 0"', "parallel"),
    (M, 'axisangle="1 0 0 30"', 'axisangle="0 0 0 30"', "length 0"),
    (M, 'zaxis="1 1 0"', 'zaxis="0 0 0"', "length 0"),
    (M, 'fromto="0 0 0 0.4 0 0"', 'fromto="0 0 0 0 0 0"', "begins where it ends"),
    (M, 'fromto="0 0 0 0.4 0 0"', 'fromto="0 0 0 0.4"', "give 6 numbers"),
    (M, 'size="0.1 0.02 0.02"', 'size="0.1 0.02"', "takes 3"),
    (M, 'size="0.1 0.02 0.02"', 'size="0.1 0 0.02"', "above 0"),
    (M, 'size="0.02" density="800"', 'size="0.02" density="-800"', "at least 0", ANYWHERE),
    (M, 'size="0.02" density="800"', 'density="800"', '"size" is missing', ANYWHERE),
    (M, 'mass="0.2"', 'mass="-0.2"', "at least 0"),
    (M, ' mass="0.2"', "", '"mass" is missing'),
    (M, 'diaginertia="1e-4 1e-4 1e-4"', 'diaginertia="1e-4 1e-4 1e-2"', "no body can have"),
    (M, 'diaginertia="1e-4 1e-4 1e-4"', 'fullinertia="1e-4 1e-4 1e-4"', "give 6 numbers"),
    (M, 'axis="0 0 1" range="-90 90"', 'axis="0 0 0" range="-90 90"', "length 0"),
    (M, 'range="-90 90"', 'range="90 -90"', "low one comes first"),
    (M, 'range="-90 90"', 'range="90"', "give 2 numbers"),
    (M, 'range="-90 90"', 'limited="true"', "no range"),
    (M, 'frictionloss="0.05"', 'frictionloss="-0.05"', "at least 0"),
    (M, 'stiffness="2"', 'stiffness="soft"', "finite number"),
    (M, 'kp="20"', 'kp="-20"', "at least 0"),
    (M, 'ctrlrange="-1 1"', 'ctrlrange="1 -1"', "low one comes first"),
    (M, 'gear="50"', 'gear="1 2 3 4 5 6 7"', "1 to 6 numbers"),
    # MJCF: words and names
    (M, 'angle="degree"', 'angle="grad"', "there are"),
    (M, 'angle="degree"', 'eulerseq="abc"', "three of xyzXYZ"),
    (M, 'angle="degree"', 'coordinate="global"', "not read"),
    (M, 'type="capsule"', 'type="pill"', "there are"),
    (M, 'type="ball"', 'type="spherical"', "there are"),
    (M, 'childclass="thin"', 'childclass="thick"', "no default class"),
    (M, '<geom name="bar"', '<geom class="fat" name="bar"', "no default class"),
    (M, '<default class="thin">', "<default>", '"class" is missing'),
    (M, '<default class="thin">', '<default class="main">', "there already"),
    (M, 'body name="fore"', 'body name="upper"', "there already"),
    (M, 'joint name="elbow"', 'joint name="pan"', "there already", ANYWHERE),
    (M, 'site name="tip"', 'site name="mark"', "there already"),
    (M, 'mesh="wedge"', 'mesh="wegde"', 'did you mean "wedge"'),
    (M, 'joint="elbow" kp', 'joint="elbo" kp', 'did you mean "elbow"'),
    (M, '<geom name="floor"', '<joint/><geom name="floor"', "in the world"),
    (M, '<joint name="elbow" axis="0 1 0" frictionloss="0.05"/>', "<freejoint/>", "body of the world only"),
    (M, '<freejoint name="free"/>', '<freejoint name="free"/><joint name="more"/>', "beside others"),
    (M, "<worldbody>\n    <geom", "<worlbody>\n    <geom", "mismatched tag", ANYWHERE),
    (M, '<joint name="elbow" axis="0 1 0" frictionloss="0.05"/>', '<joint name="elbow" axis="0 1 0"/><joint name="again" axis="0 1 0" armature="0"/><joint name="third" axis="0 1 0" armature="0"/>', "nothing gives inertia", ANYWHERE),
    # MJCF: files
    (M, 'file="parts.xml"', 'file="../parts.xml"', "leads out"),
    (M, 'file="parts.xml"', 'file="/etc/passwd"', "not relative"),
    (M, 'file="parts.xml"', 'file="nothing.xml"', "no such file"),
    (M, 'file="parts.xml"', 'file="arm.xml"', "includes itself"),
    (M, 'file="parts.xml"', 'file="circle.xml"', "includes itself", ANYWHERE),
    (M, 'file="parts.xml"', 'file="link.xml"', "leads out"),
    (M, 'file="parts.xml"', 'file="bomb.xml"', "document type", ANYWHERE),
    (M, 'file="parts.xml"', 'file="http://example.org/x.xml"', "nothing is fetched"),
    (M, '<include file="parts.xml"/>', "<include/>", '"file" is missing'),
    (M, '<include file="parts.xml"/>', '<include file="parts.xml"/><include file="parts.xml"/>', "included already"),
    (M, 'file="wedge.stl"', 'file="missing.stl"', "no such file"),
    (M, 'file="wedge.stl"', 'file="../../wedge.stl"', "leads out"),
    (M, 'file="wedge.stl"', 'file="outside.stl"', "leads out"),
    (M, 'file="wedge.stl"', 'file="cut.msh"', "not a MSH file"),
    (M, 'file="wedge.stl"', 'file="flat.stl"', "not an STL file"),
    (M, 'meshdir="meshes"', 'meshdir="/etc"', "leads out", ANYWHERE),
    (M, 'meshdir="meshes"', 'meshdir="../"', "leads out", ANYWHERE),
    (M, 'file="wedge.stl"', 'vertex="0 0 0 1 0 0 0 1 0 1 1 0"', "no volume"),
    # MJCF: loops
    (M, "<actuator>", '<equality><connect body1="fore" body2="bal" anchor="0 0 0"/></equality><actuator>', 'did you mean "ball"'),
    (M, "<actuator>", '<equality><connect body1="fore" body2="ball"/></equality><actuator>', '"anchor" is missing'),
    (M, "<actuator>", '<equality><connect body1="fore" body2="fore" anchor="0 0 0"/></equality><actuator>', "to itself"),
    (M, "<actuator>", '<equality><weld body1="fore" relpose="0 0 0 1 0"/></equality><actuator>', "give 7 numbers"),
    (M, "<actuator>", '<equality><joint joint1="elbo"/></equality><actuator>', 'did you mean "elbow"'),
    (M, "<actuator>", '<equality><joint joint2="elbow"/></equality><actuator>', '"joint1" is missing'),
    (M, "<actuator>", '<equality><joint joint1="elbow" polycoef="0 x"/></equality><actuator>', "finite number"),
    (M, "<actuator>", '<equality><joint joint1="elbow" polycoef="0 1 2"/></equality><actuator>', "of higher degree"),
    (M, "<actuator>", '<tendon><spatial stiffness="1"><site site="tip"/><site site="marc"/></spatial></tendon><actuator>', 'did you mean "mark"'),
    (M, "<actuator>", '<tendon><spatial stiffness="-1"><site site="tip"/><site site="mark"/></spatial></tendon><actuator>', "at least 0"),
    (M, "<actuator>", '<tendon><fixed name="t"><joint joint="wrist" coef="1"/></fixed></tendon><actuator>', "no joint of one axis"),
    (M, "<actuator>", '<tendon><fixed name="t"><joint joint="pan"/></fixed></tendon><actuator>', '"coef" is missing'),
    # MJCF: what is not carried over
    (M, "</worldbody>", '</worldbody><sensor><gyro site="tip"/></sensor>', "sensor is not carried over"),
    (M, '<geom name="floor"', '<camera name="eye"/><geom name="floor"', "camera is not carried over"),
    (M, 'name="floor" type="plane"', 'name="floor" friction="1 0 0" type="plane"', "geom.friction is not carried over"),
    (M, '<motor name="pan motor"', '<muscle name="pan motor"', "muscle is not carried over"),
    (M, '<option gravity', '<option timestep="0.001" gravity', "option.timestep is not carried over"),
    (M, 'type="ball" damping="0"', 'type="ball" damping="0.1"', "of a ball joint is not carried over"),
]  # fmt: skip
